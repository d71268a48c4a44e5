/** The parts of an OpenAPI 3.1 document shown in the reference. Everything is optional, because documents vary. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

interface Content {
  readonly description?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface OperationObject {
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses?: Readonly<Record<string, Content>>;
  readonly security?: readonly object[];
}

export interface OpenApi {
  readonly openapi: string;
  readonly info?: { readonly title?: string; readonly version?: string };
  readonly paths?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

/** An operation as displayed. */
export interface Operation {
  /** Stable id for the URL fragment: `post-api-url-add`. */
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly isPublic: boolean;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
  readonly reply: Schema | undefined;
  readonly replyStatus: string;
}

export interface OperationGroup {
  readonly name: string;
  readonly operations: readonly Operation[];
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Maps path segments and tags to chapters. */
const chapters: Readonly<Record<string, string>> = {
  url: 'links',
  urls: 'links',
  undo: 'links',
  auth: 'sessions',
  setup: 'sessions',
  meta: 'instance',
  health: 'instance',
  'openapi.json': 'instance',
  clicks: 'stats',
  events: 'stats',
  visits: 'stats',
  overlay: 'overlays',
  case: 'links',
  cases: 'links',
  utm: 'links',
  utms: 'links',
  invite: 'users',
  invites: 'users',
  move: 'teams',
  presence: 'teams',
  mail: 'settings',
  sso: 'settings',
  parameters: 'settings',
  places: 'settings',
  privacy: 'settings',
  sharing: 'instance',
  backup: 'backups',
  picture: 'files',
};

/** The chapter of a tag: `Links` and `url` are `links`, `Key` is `keys` if there is a tag `Keys`. */
function chapterOf(tag: string, all: ReadonlySet<string>): string {
  const word = tag.toLowerCase();
  return chapters[word] ?? (all.has(`${word}s`) ? `${word}s` : word);
}

/** All operations of a document, grouped by tag (or the first path segment), in document order. */
export function operationGroups(document: OpenApi): OperationGroup[] {
  const tagged = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      // Untrusted document of another program; the parts are checked below.
      const operation = item[method] as OperationObject | undefined;
      if (!operation) return [];
      return [
        { tag: operation.tags?.[0] ?? path.split('/')[2] ?? path, ...readOperation(method, path, operation) },
      ];
    }),
  );
  const all = new Set(tagged.map(({ tag }) => tag.toLowerCase()));
  const groups = Map.groupBy(tagged, ({ tag }) => chapterOf(tag, all));
  return [...groups].map(([name, operations]) => ({ name, operations }));
}

function readOperation(method: string, path: string, operation: OperationObject): Operation {
  const success = Object.entries(operation.responses ?? {}).find(([status]) => status.startsWith('2'));
  return {
    id: `${method}-${path}`.replace(/[^a-z0-9]+/gi, '-').replace(/-$/, ''),
    method: method.toUpperCase(),
    path,
    summary: operation.summary ?? operation.description ?? '',
    isPublic: operation.security?.length === 0,
    parameters: operation.parameters ?? [],
    body: jsonSchema(operation.requestBody),
    reply: jsonSchema(success?.[1]),
    replyStatus: success?.[0] ?? '200',
  };
}

function jsonSchema(content: Content | undefined): Schema | undefined {
  return content?.content?.['application/json']?.schema;
}

/** Resolves a `$ref` to the document's components; callers limit the depth, which ends cycles. */
export function resolved(schema: Schema, document: OpenApi): Schema {
  const name = schema.$ref?.startsWith('#/components/schemas/') ? schema.$ref.slice(21) : undefined;
  const target = name === undefined ? undefined : document.components?.schemas?.[decodeURIComponent(name)];
  return target ?? schema;
}
