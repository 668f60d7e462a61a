import type { ApiResponse } from '../request';

let document: object | undefined;

/** The OpenAPI document. Loaded and made when it is first asked for: no other cold start pays for it. */
export async function getOpenApi(): Promise<ApiResponse> {
  if (!document) {
    const { openApiDocument } = await import('../../core/http/openapi/document.ts');
    document = openApiDocument();
  }
  return { status: 200, headers: { 'cache-control': 'public, max-age=300' }, body: document };
}
