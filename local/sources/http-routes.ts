import type { RouteSpec } from '../template/stack';

export interface RouteMatch {
  route: RouteSpec;
  /** Values of `{name}` and `{name+}`, decoded. */
  pathParameters: Record<string, string>;
}

interface CompiledRoute {
  route: RouteSpec;
  method: string;
  segments: string[];
}

/** Finds the route of a request. `path` is decoded and without the stage. */
export type RouteMatcher = (method: string, path: string) => RouteMatch | undefined;

/**
 * Matches by the rules of HTTP APIs: the most specific route wins, compared segment by segment from the left.
 * A literal precedes `{name}`, which precedes `{name+}`. The latter also takes nothing behind a slash. A
 * named method precedes `ANY`. `$default` matches all other requests.
 */
export function routeMatcher(routes: RouteSpec[]): RouteMatcher {
  const fallback = routes.find(({ routeKey }) => routeKey === '$default');
  const compiled = routes
    .filter((route) => route !== fallback)
    .map((route): CompiledRoute => {
      const [method = '', path = ''] = route.routeKey.split(' ');
      return { route, method, segments: segmentsOf(path) };
    })
    .sort(bySpecificity);

  return (method, path) => {
    const given = segmentsOf(path);
    for (const { route, method: wanted, segments } of compiled) {
      if (wanted !== 'ANY' && wanted !== method) continue;
      const pathParameters = matchSegments(segments, given);
      if (pathParameters) return { route, pathParameters };
    }
    return fallback && { route: fallback, pathParameters: {} };
  };
}

const segmentsOf = (path: string): string[] => path.split('/').slice(1);

function matchSegments(pattern: string[], given: string[]): Record<string, string> | undefined {
  const values: Record<string, string> = {};
  for (const [index, segment] of pattern.entries()) {
    const name = /^\{(.+?)(\+?)\}$/.exec(segment);
    const value = given[index];
    if (value === undefined || (name && value === '' && !name[2])) return undefined;
    if (!name && segment !== value) return undefined;
    if (name?.[2]) {
      values[name[1] as string] = given.slice(index).join('/');
      return values;
    }
    if (name) values[name[1] as string] = value;
  }
  return pattern.length === given.length ? values : undefined;
}

function rank(segment: string | undefined): number {
  if (segment === undefined) return 3;
  if (/^\{.+\+\}$/.test(segment)) return 2;
  return segment.startsWith('{') ? 1 : 0;
}

function bySpecificity(a: CompiledRoute, b: CompiledRoute): number {
  for (let index = 0; index < Math.max(a.segments.length, b.segments.length); index++) {
    const difference = rank(a.segments[index]) - rank(b.segments[index]);
    if (difference !== 0) return difference;
  }
  return Number(a.method === 'ANY') - Number(b.method === 'ANY');
}
