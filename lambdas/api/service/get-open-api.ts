import type { ApiResponse } from '../request';

let document: object | undefined;

/**
 * 200 with the OpenAPI document. Loaded and built by the first request for it, so other cold starts do not
 * pay.
 */
export async function getOpenApi(): Promise<ApiResponse> {
  if (!document) {
    const { openApiDocument } = await import('../../core/http/openapi/document.ts');
    document = openApiDocument();
  }
  return { status: 200, headers: { 'cache-control': 'public, max-age=300' }, body: document };
}
