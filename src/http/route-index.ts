/** Which methods each path answers. Fastify answers 404 for a known path with another method; clients are helped by 405. */
export interface RouteIndex {
  add(method: string | readonly string[], path: string): void;
  /** Empty when the path has no route at all. `url` as it came in. */
  methodsOf(url: string): readonly string[];
}

export function createRouteIndex(): RouteIndex {
  const methodsByPath = new Map<string, Set<string>>();

  function add(method: string | readonly string[], path: string): void {
    const methods = methodsByPath.get(path) ?? new Set();
    for (const name of [method].flat()) methods.add(name);
    methodsByPath.set(path, methods);
  }

  function methodsOf(url: string): readonly string[] {
    const path = normalise(url);
    const methods = new Set<string>();
    for (const [pattern, names] of methodsByPath) {
      if (matches(pattern, path)) for (const name of names) methods.add(name);
    }
    return [...methods].sort();
  }

  return { add, methodsOf };
}

function matches(pattern: string, path: string): boolean {
  if (!pattern.endsWith('*')) return pattern === path;
  const prefix = pattern.slice(0, -1);
  return path.startsWith(prefix) && path.length > prefix.length;
}

/** As the router does: without the query, without repeated slashes, without one at the end. */
function normalise(url: string): string {
  const path = (url.split('?', 1)[0] ?? '').replace(/\/{2,}/g, '/');
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
