import type { ModelsBody, ReplyBody } from './reply-body.ts';

export interface Reply<Body = ReplyBody> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** `Body` is what the route answers, where that is neither embeddings nor a ranking nor an error. */
export async function postJson<Body = ReplyBody>(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Reply<Body>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
}

/** `Body` is what the route answers, where that is not the state of the models. */
export async function getJson<Body = ModelsBody>(
  url: string,
  headers: Record<string, string> = {},
): Promise<Reply<Body>> {
  const response = await fetch(url, { headers });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
}
