/** The parts of an OpenAPI 3.1 document that the reference shows. Everything is optional: documents differ. */
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

/** One endpoint as the reference shows it. */
export interface Operation {
  /** Stable, for the address of the page: `post-api-url-add`. */
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

/** Words of paths and tags that belong to one chapter. */
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

/** The chapter that a tag belongs to: `Links` and `url` are `links`, `Key` is `keys` where there are `Keys`. */
function chapterOf(tag: string, all: ReadonlySet<string>): string {
  const word = tag.toLowerCase();
  return chapters[word] ?? (all.has(`${word}s`) ? `${word}s` : word);
}

/** All operations of a document, grouped by their tag (else by the first word of the path), in the document's order. */
export function operationGroups(document: OpenApi): OperationGroup[] {
  const tagged = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      // The document is another program's; each part is looked at with care below.
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

/** Follows `$ref` into the document's components; a cycle ends by the caller's depth. */
export function resolved(schema: Schema, document: OpenApi): Schema {
  const name = schema.$ref?.startsWith('#/components/schemas/') ? schema.$ref.slice(21) : undefined;
  const target = name === undefined ? undefined : document.components?.schemas?.[decodeURIComponent(name)];
  return target ?? schema;
}
