declare module 'hyparquet-compressors' {
  /** Decompressors beside Snappy: gzip, zstd, brotli, lz4. */
  export const compressors: import('hyparquet').Compressors;
}
