/** What native code may need: the loader, the allocator, the locale, the time zone, the devices. */
const NAMES = new Set([
  'PATH',
  'HOME',
  'TMPDIR',
  'TMP',
  'TEMP',
  'LANG',
  'TZ',
  'GLIBC_TUNABLES',
  'SYSTEMROOT',
  'WINDIR',
]);
const PREFIXES = ['LC_', 'LD_', 'DYLD_', 'MALLOC_', 'MIMALLOC_', 'OMP_', 'ORT_', 'CUDA_', 'NVIDIA_', 'ROCM_', 'HIP_'];

/**
 * The environment of an inference process. A list of what is passed on, not of what is held back: keys and tokens of the
 * server, under whatever name, never get there, and neither do NODE_OPTIONS (two processes cannot share a debugger port).
 */
export function inferenceEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const passed = Object.fromEntries(
    Object.entries(environment).filter(([name]) => {
      const upper = name.toUpperCase();
      return NAMES.has(upper) || PREFIXES.some((prefix) => upper.startsWith(prefix));
    }),
  );
  // ONNX Runtime would otherwise keep a queue of usage events in the home folder and look for the host that takes them.
  return { ...passed, ORT_DISABLE_TELEMETRY: '1' };
}
