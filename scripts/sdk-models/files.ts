import { openApiDocument } from '../../lambdas/core/http/openapi/document';
import { pythonClientFiles } from '../sdk-python/client-files';
import { goModels } from './go';
import { pythonModels } from './python';
import { type Document, modelsOf } from './read-document';

/** The generated files of the SDKs: their paths in the checkout, and what they contain. */
export function modelFiles(): Record<string, string> {
  const document = openApiDocument();
  const models = modelsOf(document as unknown as Document);
  return {
    'sdk/python/src/quarterjack/_models.py': pythonModels(models),
    ...pythonClientFiles(document as never),
    'sdk/go/models.go': goModels(models),
  };
}
