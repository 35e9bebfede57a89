import type { Cpu } from './variant.ts';

const VNNI = ['avx512_vnni', 'avx_vnni', 'amx_int8'];

/** Whether products of bytes are added up without saturation; on arm64 always. */
export function multipliesBytesExactly({ architecture, cpuAbilities }: Cpu): boolean {
  return architecture === 'arm64' || VNNI.some((ability) => cpuAbilities.includes(ability));
}
