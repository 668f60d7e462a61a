// Comes with @seriousme/openapi-schema-validator, which checks the document itself by it.
const { default: Ajv } = require('ajv/dist/2020');

/** By the text of their document. */
const documents = new Map();

function makeValidators(documentText) {
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: false });
  ajv.addSchema(JSON.parse(documentText), 'openapi');
  const validators = new Map();
  return (schemaText) => {
    if (!validators.has(schemaText)) {
      // references in the part of a document count from the document's root
      const absolute = JSON.parse(schemaText.replaceAll('"#/', '"openapi#/'));
      validators.set(schemaText, ajv.compile(absolute));
    }
    return validators.get(schemaText);
  };
}

/**
 * Makes validators for the schemas of an OpenAPI document, from their JSON texts. The test files of a worker
 * share them, because half a second goes into those of our document.
 */
exports.schemaValidators = (documentText) => {
  if (!documents.has(documentText)) documents.set(documentText, makeValidators(documentText));
  return documents.get(documentText);
};
