import type { ApiResponse } from '../request';

let document: Promise<object> | undefined;

/** The OpenAPI document. Loaded and made when it is first asked for: no other cold start pays for it. */
export async function getOpenApi(): Promise<ApiResponse> {
  document ??= import('../../core/contracts/http/openapi/document.ts').then(({ openApiDocument }) =>
    openApiDocument(),
  );
  return { status: 200, headers: { 'cache-control': 'public, max-age=300' }, body: await document };
}
