/**
 * What the desktop shell offers the renderer. Types only: the preload script implements it over IPC, the main
 * process answers. Keys and tokens never cross this boundary; the main process adds them to each request.
 */

/** One server that this desktop knows: the one it runs itself (`local`), or a remote one. */
export interface Instance {
  readonly id: string;
  readonly name: string;
  /** One of the palette's colour names, shown wherever the instance is. */
  readonly color: string;
  readonly kind: 'local' | 'remote';
  /** `http://host:port`, without a path. Empty while the local server is starting. */
  readonly origin: string;
  readonly signedIn: boolean;
  /** SHA-256 of the certificate that the person accepted for it; absent where the system's authorities decide. */
  readonly fingerprint?: string;
  /** Whether the person agreed that keys and passwords go there without encryption. */
  readonly allowsPlain?: boolean;
}

/** What a person chooses about a remote instance. */
export interface InstanceChoice {
  readonly name: string;
  readonly color: string;
  /** `http(s)://host[:port]`, exactly as `URL.origin` spells it. */
  readonly origin: string;
  /** Agrees that keys and passwords go there without encryption, where the address is http and not this computer's. */
  readonly allowsPlain?: boolean | undefined;
}

/** How a sign-in through the browser ended: with a key, by the person in the app, or by the person in the browser. */
export type BrowserSignInOutcome = 'done' | 'cancelled' | 'denied';

/** What a server presents as its proof of identity, for a person to compare. Its words are a stranger's. */
export interface PresentedCertificate {
  /** SHA-256 as `AB:CD:…`. */
  readonly fingerprint: string;
  /** Whether it is the root above the server's certificate, or that certificate itself. */
  readonly kind: 'authority' | 'server';
  readonly name: string;
  /** Wall-clock milliseconds. */
  readonly expires: number;
  readonly isExpired: boolean;
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Starts with `/api/`; query included. */
  readonly path: string;
  /** Sent as JSON; absent for none. */
  readonly body?: unknown;
  /** The team that the request acts for; absent for the person's own account. */
  readonly account?: number | undefined;
}

export interface ApiReply {
  readonly status: number;
  /** Only what the renderer needs: content-type, retry-after and x-ratelimit-*; lower case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON document, or null where there was none. */
  readonly body: unknown;
}

/**
 * Why a request has no reply: the server cannot be reached, or took too long, or its certificate is one that nobody
 * vouches for (`untrusted`) or another one than the person accepted (`changed`), where nothing was sent; or the server
 * wants a key, and the system's key store, which has it, is locked (`locked`) or is not the one that sealed it
 * (`foreign`).
 */
export type Unreachable = {
  readonly unreachable: 'offline' | 'timeout' | 'cancelled' | 'untrusted' | 'changed' | 'locked' | 'foreign';
  readonly message: string;
};

export type ServerState =
  | { readonly state: 'starting' }
  | {
      readonly state: 'running';
      readonly origin: string;
      /** The port that another program has taken, so that short links begin differently from now on; absent mostly. */
      readonly portTaken?: number;
    }
  | { readonly state: 'restarting'; readonly attempt: number }
  | { readonly state: 'stopped'; readonly message: string; readonly logFile: string };

/** What a menu, the tray or a shortcut of the system asks the page to do. */
export type Command = 'new-link' | 'search' | 'settings' | 'shortcuts' | 'reload';

export type Unsubscribe = () => void;

/** What a person chooses about the app itself. */
export interface DesktopChoices {
  /** Shortens what is copied, from everywhere, in Electron's spelling; null is none. */
  readonly shortcut: string | null;
  /** Whether the app lives on in the tray when its window is closed. */
  readonly background: boolean;
  readonly openAtLogin: boolean;
  /** Whether the system's notifications tell of domains, security and the server. */
  readonly notifications: boolean;
  /** Whether a newer version is looked for. */
  readonly updates: boolean;
}

/** What of the choices is to be different. */
export type DesktopChange = {
  readonly [Choice in keyof DesktopChoices]?: DesktopChoices[Choice] | undefined;
};

/** The choices, and what became of them. */
export interface AppState extends DesktopChoices {
  /** Another program has the keys of `shortcut`. */
  readonly isShortcutTaken: boolean;
  /** Whether this program can be started at sign-in at all; one run from its sources cannot. */
  readonly canOpenAtLogin: boolean;
  /** The start at sign-in was chosen, and the system waits for the person to allow it in its own settings. */
  readonly needsApproval: boolean;
  /** Whether this build knows where its releases are listed. */
  readonly hasUpdateFeed: boolean;
  readonly update?: { readonly version: string; readonly address: string };
  /** What the last look for a newer version came to where it found none; absent before the first. */
  readonly updateCheck?: 'latest' | 'failed';
}

export interface Desktop {
  readonly platform: 'darwin' | 'win32' | 'linux';
  readonly version: string;
  readonly instances: {
    list(): Promise<Instance[]>;
    /** The instance that was shown last. */
    current(): Promise<string>;
    select(id: string): Promise<void>;
    /** Returns the new instance's id; nobody is signed in there yet. Rejects when its address is known already. */
    add(choice: InstanceChoice): Promise<string>;
    /** Another address is another server: the key for the one before is forgotten. */
    edit(id: string, choice: InstanceChoice): Promise<void>;
    /** Forgets a remote instance and its key. */
    remove(id: string): Promise<void>;
    /** Keeps an API key that was typed or pasted, bound to the instance's origin. */
    keepKey(id: string, key: string): Promise<void>;
    /**
     * Signs in at a remote instance through the system's browser; resolves when the person has come back, or ended it.
     * Another one ends the one before. Rejects with what went wrong.
     */
    signInByBrowser(id: string): Promise<BrowserSignInOutcome>;
    /** Ends the sign-in that waits for the browser. */
    cancelSignIn(): void;
    onChange(listener: (instances: Instance[]) => void): Unsubscribe;
    /** Forgets the key of an instance (after signing out there). */
    forgetKey(id: string): Promise<void>;
    /** The certificate that a server presents now; null where it does not answer encrypted. */
    certificate(id: string): Promise<PresentedCertificate | null>;
    /**
     * Accepts the certificate that was looked at last: from then on the instance has to present it, or what is under
     * it.
     */
    acceptCertificate(id: string, fingerprint: string): Promise<void>;
  };
  /**
   * One API request to one instance. The main process adds the key. A successful POST to /api/auth/login,
   * /api/auth/register or /api/setup keeps the token it answers with, bound to the instance's origin.
   */
  request(instanceId: string, requestId: string, request: ApiRequest): Promise<ApiReply | Unreachable>;
  cancel(requestId: string): void;
  /** A file as the body of a POST, part by part, each at most a mebibyte: begin, parts in their order, end. */
  readonly uploads: {
    begin(instanceId: string, uploadId: string, path: string, size: number, account?: number): Promise<void>;
    /** Resolves when the next part may come; false when no more is wanted, because the reply is there. */
    part(uploadId: string, bytes: Uint8Array): Promise<boolean>;
    end(uploadId: string): Promise<ApiReply | Unreachable>;
    cancel(uploadId: string): void;
  };
  /**
   * The live stream of an account of the instance; each `data` document of it, parsed. Reconnects by itself;
   * `onRefused` is told when the instance does not take the key any more, or has no such account for it.
   */
  subscribe(
    instanceId: string,
    listener: (event: unknown) => void,
    account?: number,
    onRefused?: () => void,
  ): Unsubscribe;
  /** Who the system says is sitting here, for the first run: nothing has to be typed. */
  suggestedProfile(): Promise<{ name: string; username: string; email: string }>;
  /** Opens an http(s) address in the system's browser. */
  openExternal(url: string): Promise<void>;
  copyText(text: string): Promise<void>;
  /** Puts a picture (PNG) on the clipboard. Rejects for anything else. */
  copyPicture(png: Uint8Array): Promise<void>;
  /**
   * Asks where to save a file, and saves it there. Resolves with whether that was done: false when the person thought
   * better of it, and when it could not be written, which the person was told then.
   */
  saveFile(name: string, bytes: Uint8Array): Promise<boolean>;
  server: {
    state(): Promise<ServerState>;
    onChange(listener: (state: ServerState) => void): Unsubscribe;
    restart(): Promise<void>;
    showLog(): Promise<void>;
  };
  onCommand(listener: (command: Command) => void): Unsubscribe;
  readonly app: {
    getState(): Promise<AppState>;
    update(change: DesktopChange): Promise<AppState>;
    /** Told when something is another without the page having asked for it, as after a look for a newer version. */
    onChange(listener: (state: AppState) => void): Unsubscribe;
  };
  readonly offers: {
    /** The address that a `waypost://` link asks to shorten, once; undefined where none waits. */
    take(): Promise<string | undefined>;
    /** Told when one waits. */
    onWaiting(listener: () => void): Unsubscribe;
  };
}

/**
 * The channels of the bridge: what the page may ask of the main process, with the arguments and the reply of each.
 * Only the preload script and `main/shell/ipc.ts` read this; pages use `Desktop`.
 */
export interface DesktopCalls {
  'instances:list': { arguments: []; reply: Instance[] };
  'instances:current': { arguments: []; reply: string };
  'instances:select': { arguments: [id: string]; reply: void };
  'instances:add': { arguments: [choice: InstanceChoice]; reply: string };
  'instances:edit': { arguments: [id: string, choice: InstanceChoice]; reply: void };
  'instances:remove': { arguments: [id: string]; reply: void };
  'instances:keep-key': { arguments: [id: string, key: string]; reply: void };
  /** An empty id begins none and ends the one that waits. */
  'instances:sign-in': { arguments: [id: string]; reply: BrowserSignInOutcome };
  'instances:forget-key': { arguments: [id: string]; reply: void };
  'instances:certificate': { arguments: [id: string]; reply: PresentedCertificate | null };
  'instances:accept-certificate': { arguments: [id: string, fingerprint: string]; reply: void };
  'api:request': {
    arguments: [instanceId: string, requestId: string, request: ApiRequest];
    reply: ApiReply | Unreachable;
  };
  'api:cancel': { arguments: [requestId: string]; reply: void };
  'upload:begin': {
    arguments: [
      instanceId: string,
      uploadId: string,
      path: string,
      size: number,
      account?: number | undefined,
    ];
    reply: void;
  };
  'upload:part': { arguments: [uploadId: string, bytes: Uint8Array]; reply: boolean };
  'upload:end': { arguments: [uploadId: string]; reply: ApiReply | Unreachable };
  'upload:cancel': { arguments: [uploadId: string]; reply: void };
  /** The subscription's name is the preload script's own; `events:document` carries it back. */
  'events:subscribe': {
    arguments: [subscription: string, instanceId: string, account?: number | undefined];
    reply: void;
  };
  'events:unsubscribe': { arguments: [subscription: string]; reply: void };
  'profile:suggest': { arguments: []; reply: { name: string; username: string; email: string } };
  'external:open': { arguments: [url: string]; reply: void };
  'clipboard:copy': { arguments: [text: string]; reply: void };
  'clipboard:copy-picture': { arguments: [png: Uint8Array]; reply: void };
  'file:save': { arguments: [name: string, bytes: Uint8Array]; reply: boolean };
  'server:state': { arguments: []; reply: ServerState };
  'server:restart': { arguments: []; reply: void };
  'server:show-log': { arguments: []; reply: void };
  'app:state': { arguments: []; reply: AppState };
  'app:update': { arguments: [change: DesktopChange]; reply: AppState };
  'offers:take': { arguments: []; reply: string | undefined };
}

/** What the main process tells the page unasked. */
export interface DesktopPushes {
  'instances:changed': [instances: Instance[]];
  'events:document': [subscription: string, document: unknown];
  'events:refused': [subscription: string];
  'server:changed': [state: ServerState];
  'app:changed': [state: AppState];
  command: [command: Command];
  'offers:waiting': [];
}

/** How a call is answered. A refusal is a sentence for the page; nothing of the error itself crosses the bridge. */
export type DesktopAnswer<Reply> =
  | { readonly ok: true; readonly value: Reply }
  | { readonly ok: false; readonly message: string };

declare global {
  interface Window {
    /** Present in the desktop app only. */
    readonly desktop?: Desktop;
  }
}
