import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HubFile, RepositoryContent } from './repository-content.ts';

/** One repository of the hub, by its revisions. */
export interface HubRepository {
  /** Branch or tag -> commit. */
  readonly refs: Readonly<Record<string, string>>;
  /** Commit -> files. */
  readonly commits: Readonly<Record<string, RepositoryContent>>;
  /** Only accounts with access may read its files. */
  readonly gated?: boolean;
  /** Hidden from everybody without access. */
  readonly private?: boolean;
}

export interface HubRequest {
  readonly host: 'hub' | 'cdn';
  readonly method: string;
  readonly path: string;
  readonly range: string | undefined;
  readonly authorization: string | undefined;
}

/** What goes wrong with one request. */
export type Fault =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** The connection is closed after so many bytes of the body. */
  | { readonly cutAfter: number; readonly ignoreRange?: true }
  /** Other bytes of the same length. */
  | { readonly corrupt: true }
  /** So many bytes, and then silence. */
  | { readonly stallAfter: number }
  /** The range is not honoured. */
  | { readonly ignoreRange: true };

export interface HubOptions {
  readonly repositories: Readonly<Record<string, HubRepository>>;
  /** Old id -> new id. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** The only token that is valid; it has access to everything. */
  readonly token?: string;
  /** Asked for each request before it is answered. */
  readonly fault?: (request: HubRequest) => Fault | undefined;
}

export interface HubServer {
  readonly endpoint: string;
  /** Where it may be connected to: the endpoint and the host of large files. */
  readonly hosts: readonly string[];
  /** All that was asked, in order. */
  readonly requests: readonly HubRequest[];
  close(): Promise<void>;
}

export const COMMIT = 'a1b2c3d4e5f60718293a4b5c6d7e8f9001122334';

/** A repository with one commit on `main`. */
export const onMain = (content: RepositoryContent, rest: Partial<HubRepository> = {}): HubRepository => ({
  refs: { main: COMMIT },
  commits: { [COMMIT]: content },
  ...rest,
});

/**
 * A server that speaks the hub's HTTP: metadata, resolve with redirects of large files to a second host, entity tags,
 * ranges, refusals as the hub words them.
 */
export async function startHubServer(options: HubOptions): Promise<HubServer> {
  const requests: HubRequest[] = [];
  const cdn = await listen('localhost', (request, response) => {
    const { repository, commit, name } = parseCdnPath(request.url ?? '');
    const file = options.repositories[repository]?.commits[commit]?.[name];
    answerFile(request, response, file, faultOf('cdn', request));
  });
  const hub = await listen('127.0.0.1', (request, response) => {
    const fault = faultOf('hub', request);
    if (fault !== undefined && 'status' in fault) {
      response.writeHead(fault.status, fault.headers).end();
      return;
    }
    answer(request, response, fault);
  });

  function faultOf(host: 'hub' | 'cdn', request: IncomingMessage): Fault | undefined {
    const { authorization, range } = request.headers;
    const seen = { host, method: request.method ?? '', path: request.url ?? '', range, authorization };
    requests.push(seen);
    return options.fault?.(seen);
  }

  function answer(request: IncomingMessage, response: ServerResponse, fault: Fault | undefined): void {
    const url = new URL(request.url ?? '', 'http://hub');
    const api = /^\/api\/models\/([^/]+\/[^/]+)(?:\/revision\/([^/]+))?$/.exec(url.pathname);
    const tree = /^\/api\/models\/([^/]+\/[^/]+)\/tree\/([^/]+)\/?$/.exec(url.pathname);
    const resolve = /^\/([^/]+\/[^/]+)\/resolve\/([^/]+)\/(.+)$/.exec(url.pathname);
    const id = (api ?? tree ?? resolve)?.[1] ?? '';
    const revision = decodeURIComponent((api ?? tree ?? resolve)?.[2] ?? 'main');
    const to = options.renamed?.[id];
    if (to !== undefined) {
      response.writeHead(307, { location: (request.url ?? '').replace(id, to) }).end();
      return;
    }
    const refusal = refusalOf(id, revision, request, resolve !== null);
    if (refusal !== undefined) {
      response
        .writeHead(refusal.status, refusal.headers)
        .end(JSON.stringify({ error: refusal.headers['x-error-message'] }));
      return;
    }
    const repository = options.repositories[id];
    const commit = repository?.refs[revision] ?? revision;
    const content = repository?.commits[commit] ?? {};
    if (resolve === null) {
      const body = tree === null ? modelInfo(id, commit, content) : treeRows(content);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      return;
    }
    const name = decodeURIComponent(resolve[3] ?? '');
    const file = content[name];
    if (file === undefined) {
      response.writeHead(404, { 'x-error-code': 'EntryNotFound', 'x-repo-commit': commit }).end();
      return;
    }
    const headers = { 'x-repo-commit': commit, 'x-linked-size': String(file.content.length) };
    if (file.sha256 === undefined) {
      answerFile(request, response, file, fault, { ...headers, etag: `"${file.blobId}"` });
      return;
    }
    const location = `${cdn.origin}/${id}/${commit}/${encodeURIComponent(name)}?signature=x`;
    response.writeHead(302, { ...headers, 'x-linked-etag': `"${file.sha256}"`, location }).end();
  }

  function refusalOf(id: string, revision: string, request: IncomingMessage, isFile: boolean) {
    const { authorization } = request.headers;
    const hasAccess = options.token !== undefined && authorization === `Bearer ${options.token}`;
    if (authorization !== undefined && options.token !== undefined && !hasAccess) {
      return refusal(401, undefined, 'Invalid credentials in Authorization header');
    }
    const repository = options.repositories[id];
    if (repository === undefined || (repository.private && !hasAccess)) {
      return refusal(
        hasAccess ? 404 : 401,
        'RepoNotFound',
        hasAccess ? 'Repository not found' : 'Invalid username or password.',
      );
    }
    if (isFile && repository.gated && !hasAccess) {
      return refusal(401, 'GatedRepo', `Access to model ${id} is restricted.`);
    }
    if (repository.refs[revision] === undefined && repository.commits[revision] === undefined) {
      return refusal(404, 'RevisionNotFound', `Invalid rev id: ${revision}`);
    }
    return undefined;
  }

  return {
    endpoint: hub.origin,
    hosts: [hub.origin, cdn.origin],
    requests,
    async close() {
      await Promise.all([hub.close(), cdn.close()]);
    },
  };
}

function refusal(status: number, errorCode: string | undefined, message: string) {
  return {
    status,
    headers: { ...(errorCode === undefined ? {} : { 'x-error-code': errorCode }), 'x-error-message': message },
  };
}

function modelInfo(id: string, commit: string, content: RepositoryContent) {
  const siblings = Object.entries(content).map(([rfilename, file]) => ({ rfilename, ...sizes(file) }));
  return { id, modelId: id, sha: commit, private: false, gated: false, tags: [], downloads: 0, likes: 0, siblings };
}

function treeRows(content: RepositoryContent) {
  return Object.entries(content).map(([path, { content: bytes, blobId, sha256 }]) => ({
    type: 'file',
    path,
    size: bytes.length,
    oid: blobId,
    ...(sha256 === undefined ? {} : { lfs: { oid: sha256, size: bytes.length, pointerSize: 130 } }),
  }));
}

function sizes({ content, blobId, sha256 }: HubFile) {
  const size = content.length;
  return { size, blobId, ...(sha256 === undefined ? {} : { lfs: { sha256, size, pointerSize: 130 } }) };
}

function parseCdnPath(url: string) {
  const [owner = '', name = '', commit = '', file = ''] = new URL(url, 'http://cdn').pathname.slice(1).split('/');
  return { repository: `${owner}/${name}`, commit, name: decodeURIComponent(file) };
}

function answerFile(
  request: IncomingMessage,
  response: ServerResponse,
  file: HubFile | undefined,
  fault: Fault | undefined,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (fault !== undefined && 'status' in fault) {
    response.writeHead(fault.status, fault.headers).end();
    return;
  }
  if (file === undefined) {
    response.writeHead(404).end();
    return;
  }
  const range =
    fault !== undefined && 'ignoreRange' in fault ? undefined : /^bytes=(\d+)-/.exec(request.headers.range ?? '');
  const start = Number(range?.[1] ?? 0);
  if (start >= file.content.length && start > 0) {
    response.writeHead(416, { 'content-range': `bytes */${file.content.length}` }).end();
    return;
  }
  const body = file.content.subarray(start);
  response.writeHead(range ? 206 : 200, {
    'content-length': String(body.length),
    'accept-ranges': 'bytes',
    ...(range ? { 'content-range': `bytes ${start}-${file.content.length - 1}/${file.content.length}` } : {}),
    ...headers,
  });
  if (request.method === 'HEAD') response.end();
  else if (fault === undefined) response.end(body);
  else if ('corrupt' in fault) response.end(Buffer.alloc(body.length, 'x'));
  else if ('stallAfter' in fault) response.write(body.subarray(0, fault.stallAfter));
  else if ('cutAfter' in fault) {
    // Later, or the client hears of the cut before it has read what came.
    response.write(body.subarray(0, fault.cutAfter), () => setTimeout(() => response.destroy(), 50));
  } else response.end(body);
}

async function listen(host: string, answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server: Server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://${host}:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
