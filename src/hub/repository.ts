/** What a file's content must hash to: `sha256` of the content, or `git`, the SHA-1 that git gives a blob. */
export interface ContentDigest {
  readonly kind: 'sha256' | 'git';
  readonly hex: string;
}

/** A file of a repository, as the hub describes it. */
export interface RepositoryFile {
  /** With `/`. */
  readonly name: string;
  readonly bytes: number;
  readonly digest: ContentDigest;
}

/** A repository at one commit. */
export interface Repository {
  readonly id: string;
  readonly commit: string;
  readonly files: readonly RepositoryFile[];
}
