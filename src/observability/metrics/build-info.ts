import type { Registry } from 'prom-client';
import { gauge, openGauge } from './metric-definition.ts';

export const BUILD_METRICS = {
  info: gauge('infinity_build_info', 'Always 1; the version of this service and of Node.js, in its labels.', [
    'version',
    'node',
  ]),
};

export function openBuildInfo(registry: Registry, version: string): void {
  openGauge(registry, BUILD_METRICS.info).set({ version, node: process.version }, 1);
}
