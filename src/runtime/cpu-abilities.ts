/** Instruction sets that change which graph is right or fast, by their names in /proc/cpuinfo (x64, then arm64). */
const RELEVANT = [
  'avx2',
  'fma',
  'f16c',
  'avx512f',
  'avx512bw',
  'avx512_vnni',
  'avx512_bf16',
  'avx512_fp16',
  'avx_vnni',
  'amx_int8',
  'amx_bf16',
  'asimddp',
  'asimdhp',
  'i8mm',
  'bf16',
  'sve',
];

/** Reads the text of /proc/cpuinfo: the abilities that every core has, in a fixed order. */
export function parseCpuAbilities(cpuInfo: string): readonly string[] {
  const cores = [...cpuInfo.matchAll(/^(?:flags|Features)\s*:\s*(.*)$/gm)].map(([, names = '']) => names.split(/\s+/));
  if (cores.length === 0) return [];
  return RELEVANT.filter((ability) => cores.every((names) => names.includes(ability)));
}
