import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { projectFile } from './project-file.ts';

test('the chart has the version of the package', () => {
  const { version } = JSON.parse(readFileSync(projectFile('package.json'), 'utf8'));
  const chart = parse(readFileSync(projectFile('deploy/helm/infinity/Chart.yaml'), 'utf8'));
  expect([chart.version, chart.appVersion]).toEqual([version, version]);
});
