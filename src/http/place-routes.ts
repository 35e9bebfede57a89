import type { PlacedPath } from './register-route.ts';
import type { Route } from './route.ts';
import { isVersioned, prefixedPath } from './url-prefix.ts';

export interface PlacedRoute {
  readonly route: Route;
  readonly places: readonly PlacedPath[];
}

/**
 * Where each route is. Below a prefix that is a version, a route without one and a route with it can meet: the former, the
 * original's, is the one that its users expect there.
 */
export function placeRoutes(routes: readonly Route[], prefix: string): readonly PlacedRoute[] {
  const owners = new Map<string, { readonly route: Route; readonly path: string }>();
  for (const route of routes) {
    for (const path of route.paths) {
      const url = prefixedPath(prefix, path);
      if (!owners.has(url) || !isVersioned(path)) owners.set(url, { route, path });
      if (route.atRoot === true && !isVersioned(path)) owners.set(path, { route, path });
    }
  }
  return routes.map((route) => ({
    route,
    places: [...owners].filter(([, owner]) => owner.route === route).map(([url, { path }]) => ({ url, path })),
  }));
}
