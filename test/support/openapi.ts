import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** One operation of the OpenAPI document. */
export interface Operation {
  method: string;
  /** The path with `{name}` for every parameter. */
  path: string;
  operationId: string;
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, { $ref?: string } & Partial<ResponseObject>>;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  schema: Schema;
}

export interface Schema {
  type?: string;
  [keyword: string]: unknown;
}

interface ResponseObject {
  headers: Record<string, { $ref: string }>;
  content: Record<string, { schema: Schema }>;
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, Omit<Operation, 'method' | 'path'>>>;
  components: {
    headers: Record<string, { schema: Schema; required: boolean }>;
    responses: Record<string, ResponseObject>;
    schemas: Record<string, Schema>;
  };
}

/** A reply as it came, to be compared with the document. */
export interface Reply {
  status: number;
  headers: Headers;
  text: string;
}

/** Statuses that clients distinguish: an operation that uses one must declare it. */
const named = new Set([400, 401, 403, 404, 409, 413, 415, 429]);

/** Every operation of the document. */
export function operationsOf(document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  );
}

/** The operation that answers a path: one that has it for a name comes before one with parameters. */
export function findOperation(
  operations: readonly Operation[],
  method: string,
  path: string,
): Operation | undefined {
  const fits = operations.filter(
    (operation) =>
      operation.method === method &&
      new RegExp(`^${operation.path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
  return fits.find((operation) => operation.path === path) ?? fits[0];
}

/** Compares replies with the document: status, headers, content type and body. */
export function replyChecker(document: OpenApiDocument) {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'openapi', ...document });
  const compiled = new Map<string, ValidateFunction>();

  function validatorOf(pointer: string): ValidateFunction {
    const known = compiled.get(pointer);
    if (known) return known;
    const made = ajv.compile({ $ref: `openapi#${pointer}` });
    compiled.set(pointer, made);
    return made;
  }

  return {
    /** Differences from the document, as sentences; empty if there are none. */
    problemsOf(operation: Operation, { status, headers, text }: Reply): string[] {
      const key = operation.responses[status] ? String(status) : 'default';
      if (key === 'default' && (named.has(status) || status < 400)) {
        return [`status ${status} is not in the document: ${text.slice(0, 300)}`];
      }
      const listed = operation.responses[key] as NonNullable<Operation['responses'][string]>;
      const pointer = listed.$ref
        ? listed.$ref.slice(1)
        : `/paths/${escaped(operation.path)}/${operation.method.toLowerCase()}/responses/${key}`;
      const response = listed.$ref
        ? (document.components.responses[listed.$ref.split('/').at(-1) ?? ''] as ResponseObject)
        : (listed as ResponseObject);
      const problems: string[] = [];
      for (const name of Object.keys(response.headers)) {
        const value = headers.get(name);
        const { schema, required } = document.components.headers[name] ?? {};
        if (value === null ? required : schema?.type === 'integer' && !/^\d+$/.test(value)) {
          problems.push(`header ${name} is ${value}`);
        }
      }
      const type = headers.get('content-type')?.split(';')[0] ?? '';
      const media = response.content[type];
      if (!media) return [...problems, `content type ${type || 'missing'} is not in the document`];
      if (type !== 'application/json') return problems;
      const validate = validatorOf(`${pointer}/content/${escaped(type)}/schema`);
      const body: unknown = JSON.parse(text);
      if (!validate(body)) {
        problems.push(...(validate.errors ?? []).slice(0, 5).map((error) => described(error, text)));
      }
      return problems;
    },
  };
}

function escaped(key: string): string {
  return encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
}

function described({ instancePath, message, params }: ErrorObject, text: string): string {
  return `${instancePath || 'the reply'} ${message} ${JSON.stringify(params)}: ${text.slice(0, 300)}`;
}
