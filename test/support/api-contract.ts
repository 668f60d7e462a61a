import { openApiDocument } from '../../lambdas/core/http/openapi/document';

/** The parts of an OpenAPI document that are read here; references are followed by `resolve`. */
export interface Operation {
  operationId: string;
  security: object[];
  parameters: { in: 'path' | 'query' | 'header'; name: string; required?: boolean; schema: Schema }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema; example: unknown }> };
  responses: Record<string, Response | Reference>;
}
export interface Response {
  headers?: Record<string, unknown>;
  content?: Record<string, { schema: Schema; example: unknown }>;
}
export type Schema = Record<string, unknown>;
interface Reference {
  $ref: string;
}
export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> };
}

export interface HttpAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** Parsed; undefined where there is none. */
  body: unknown;
}

interface Validate {
  (value: unknown): boolean;
  errors?: { instancePath: string; message?: string; params: object }[] | null;
}
/** From `test/environment.js`: see `test/worker/schema-validators.js`. */
declare const schemaValidators: (documentText: string) => (schemaText: string) => Validate;

/** Checks responses against an OpenAPI document. */
export class ApiContract {
  private readonly makeValidator: (schemaText: string) => Validate;

  constructor(readonly document: Document) {
    this.makeValidator = schemaValidators(JSON.stringify(document));
  }

  /** `GET /v1/jobs/{jobId}` */
  operation(routeKey: string): Operation {
    const [method = '', path = ''] = routeKey.split(' ');
    const operation = this.document.paths[path]?.[method.toLowerCase()];
    if (!operation) throw new Error(`the document has no ${routeKey}`);
    return operation;
  }

  get routeKeys(): string[] {
    return Object.entries(this.document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
  }

  /** What is outside the document; empty where nothing is. */
  complaints(routeKey: string, { status, headers, body }: HttpAnswer): string[] {
    const response = this.response(this.operation(routeKey).responses[status]);
    if (!response) return [`${routeKey} answers ${status}, which the document does not name`];
    if (!response.content) return body === undefined ? [] : [`${routeKey} ${status} has a body`];
    const type = headers['content-type']?.split(';')[0] ?? 'none';
    const media = response.content[type];
    if (!media)
      return [`${routeKey} ${status} is ${type}, not ${Object.keys(response.content).join(' or ')}`];
    const required = ['etag', 'location'].filter((name) =>
      Object.keys(response.headers ?? {}).some((header) => header.toLowerCase() === name),
    );
    return [
      ...required.filter((name) => !headers[name]).map((name) => `${routeKey} ${status} lacks ${name}`),
      ...this.mismatches(media.schema, body).map((text) => `${routeKey} ${status}: ${text}`),
    ];
  }

  /** Why a value does not fit a schema of the document. */
  mismatches(schema: Schema, value: unknown): string[] {
    const validate = this.validator(schema);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
    );
  }

  response(given: Response | Reference | undefined): Response | undefined {
    if (!given || !('$ref' in given)) return given;
    return this.document.components.responses[given.$ref.split('/').at(-1)!];
  }

  /** One for each schema object, however often it is asked for. */
  private validator(schema: Schema): Validate {
    const known = this.validators.get(schema);
    if (known) return known;
    const made = this.makeValidator(JSON.stringify(schema));
    this.validators.set(schema, made);
    return made;
  }
  private readonly validators = new WeakMap<Schema, Validate>();
}

let own: ApiContract | undefined;
/** The contract of this checkout. */
export const apiContract = (): ApiContract =>
  (own ??= new ApiContract(openApiDocument() as unknown as Document));
