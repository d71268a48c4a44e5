/**
 * The API that the desktop shell offers to the renderer. Types only: the preload script implements it over IPC, and the
 * main process handles the calls. Keys and tokens never cross this boundary; the main process adds them to requests.
 */

/** A server known to this desktop app: the one it runs itself (`local`), or a remote one. */
export interface Instance {
  readonly id: string;
  readonly name: string;
  /** One of the palette's color names, shown wherever the instance appears. */
  readonly color: string;
  readonly kind: 'local' | 'remote';
  /** `http://host:port`, without a path. Empty while the local server is starting. */
  readonly origin: string;
  readonly signedIn: boolean;
  /** SHA-256 fingerprint of the certificate that the user accepted; absent if the system's trust store applies. */
  readonly fingerprint?: string;
  /** Whether the user agreed to send keys and passwords there unencrypted. */
  readonly allowsInsecure?: boolean;
}

/** The user's settings for a remote instance. */
export interface InstanceChoice {
  readonly name: string;
  readonly color: string;
  /** `http(s)://host[:port]`, normalized like `URL.origin`. */
  readonly origin: string;
  /** Consent to send keys and passwords unencrypted if the address is http and not on this computer. */
  readonly allowsInsecure?: boolean | undefined;
}

/** How a browser sign-in ended: signed in, cancelled in the app, or denied in the browser. */
export type BrowserSignInOutcome = 'done' | 'cancelled' | 'denied';

/** A server's certificate, for the user to compare. Its text is untrusted. */
export interface PresentedCertificate {
  /** SHA-256 as `AB:CD:…`. */
  readonly fingerprint: string;
  /** Whether it is the root of the server's certificate chain or the server's certificate itself. */
  readonly kind: 'authority' | 'server';
  readonly name: string;
  /** Wall-clock time in milliseconds. */
  readonly expires: number;
  readonly isExpired: boolean;
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Starts with `/api/`; query included. */
  readonly path: string;
  /** Sent as JSON; absent for none. */
  readonly body?: unknown;
  /** The id of the team to act for; absent for the user's own account. */
  readonly account?: number | undefined;
}

export interface ApiReply {
  readonly status: number;
  /** Only the headers that the renderer needs: content-type, retry-after and x-ratelimit-*, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON document, or null if there was none. */
  readonly body: unknown;
}

/**
 * Why a request has no reply: the server is unreachable (`offline`) or timed out, the page cancelled the request, the
 * certificate is not trusted (`untrusted`) or differs from the accepted one (`changed`), in which case nothing was
 * sent, or the key could not be decrypted because the key store is locked (`locked`) or is not the one that encrypted
 * it (`foreign`).
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
      /** The usual port if another program has taken it, which changes the beginning of short links; usually absent. */
      readonly portTaken?: number;
    }
  | { readonly state: 'restarting'; readonly attempt: number }
  | { readonly state: 'stopped'; readonly message: string; readonly logFile: string };

/** A command from a menu, the tray or a shortcut. */
export type Command = 'new-link' | 'search' | 'settings' | 'shortcuts' | 'reload';

export type Unsubscribe = () => void;

/** The user's settings of the app itself. */
export interface DesktopChoices {
  /** The global shortcut that shortens the clipboard's address, as an Electron accelerator; null for none. */
  readonly shortcut: string | null;
  /** Whether the app keeps running in the tray when its window is closed. */
  readonly background: boolean;
  readonly openAtLogin: boolean;
  /** Whether to show system notifications about domains, security and the server. */
  readonly notifications: boolean;
  /** Whether to check for updates. */
  readonly updates: boolean;
}

/** The settings to change. */
export type DesktopChange = {
  readonly [Choice in keyof DesktopChoices]?: DesktopChoices[Choice] | undefined;
};

/** The settings and their effective state. */
export interface AppState extends DesktopChoices {
  /** Whether another program has registered `shortcut`. */
  readonly isShortcutTaken: boolean;
  /** Whether the app can start at login; false in development. */
  readonly canOpenAtLogin: boolean;
  /** Whether start at login awaits the user's approval in the system settings. */
  readonly needsApproval: boolean;
  /** Whether this build has a release feed. */
  readonly hasUpdateFeed: boolean;
  readonly update?: { readonly version: string; readonly address: string };
  /** The result of the last update check if it found none; absent before the first. */
  readonly updateCheck?: 'latest' | 'failed';
}

export interface Desktop {
  readonly platform: 'darwin' | 'win32' | 'linux';
  readonly version: string;
  readonly instances: {
    list(): Promise<Instance[]>;
    /** The id of the selected instance. */
    current(): Promise<string>;
    select(id: string): Promise<void>;
    /** Returns the new instance's id; it starts out signed out. Rejects if the address already exists. */
    add(choice: InstanceChoice): Promise<string>;
    /** Updates an instance. Changing its address deletes the key of the old one. */
    edit(id: string, choice: InstanceChoice): Promise<void>;
    /** Deletes a remote instance and its key. */
    remove(id: string): Promise<void>;
    /** Stores an API key that the user entered, bound to the instance's origin. */
    keepKey(id: string, key: string): Promise<void>;
    /**
     * Signs in at a remote instance through the system browser; resolves when the sign-in has finished or was
     * cancelled. A new call cancels the previous one. Rejects with the reason of a failure.
     */
    signInByBrowser(id: string): Promise<BrowserSignInOutcome>;
    /** Cancels the pending browser sign-in. */
    cancelSignIn(): void;
    onChange(listener: (instances: Instance[]) => void): Unsubscribe;
    /** Deletes an instance's key (after signing out there). */
    forgetKey(id: string): Promise<void>;
    /** The certificate that a server currently presents; null if there is no TLS response. */
    certificate(id: string): Promise<PresentedCertificate | null>;
    /**
     * Pins the certificate last returned by `certificate`: from then on the server must present it or one issued by it.
     */
    acceptCertificate(id: string, fingerprint: string): Promise<void>;
  };
  /**
   * Sends an API request to an instance. The main process adds the key. After a successful POST to /api/auth/login,
   * /api/auth/register or /api/setup it stores the returned token, bound to the instance's origin.
   */
  request(instanceId: string, requestId: string, request: ApiRequest): Promise<ApiReply | Unreachable>;
  cancel(requestId: string): void;
  /**
   * Uploads a file as the body of a POST, in chunks of at most 1 MiB: `begin`, `part` for each chunk in order, `end`.
   */
  readonly uploads: {
    begin(instanceId: string, uploadId: string, path: string, size: number, account?: number): Promise<void>;
    /** Resolves when the next chunk may be sent; false if the server has already replied and wants no more. */
    part(uploadId: string, bytes: Uint8Array): Promise<boolean>;
    end(uploadId: string): Promise<ApiReply | Unreachable>;
    cancel(uploadId: string): void;
  };
  /**
   * Subscribes to an account's live stream on the instance; calls the listener with each parsed `data` document.
   * Reconnects automatically; `onRefused` is called when the instance no longer accepts the key or the account.
   */
  subscribe(
    instanceId: string,
    listener: (event: unknown) => void,
    account?: number,
    onRefused?: () => void,
  ): Unsubscribe;
  /** The user's details according to the system, to prefill the setup form. */
  suggestedProfile(): Promise<{ name: string; username: string; email: string }>;
  /** Opens an http(s) address in the system browser. */
  openExternal(url: string): Promise<void>;
  copyText(text: string): Promise<void>;
  /** Copies a PNG image to the clipboard. Rejects for anything else. */
  copyPicture(png: Uint8Array): Promise<void>;
  /**
   * Asks where to save a file and saves it. Resolves to whether it was saved: false if the user cancelled, or if
   * writing failed, which was shown in an error dialog.
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
    /** Called when the state changes without a request from the page, as after an update check. */
    onChange(listener: (state: AppState) => void): Unsubscribe;
  };
  readonly offers: {
    /** Takes the address that a `waypost://` deep link asks to shorten; undefined if none is waiting. */
    take(): Promise<string | undefined>;
    /** Called when a deep link is waiting. */
    onWaiting(listener: () => void): Unsubscribe;
  };
}

/**
 * The IPC channels from the page to the main process, with the arguments and reply of each. Only the preload script and
 * `main/shell/ipc.ts` use this; pages use `Desktop`.
 */
export interface DesktopCalls {
  'instances:list': { arguments: []; reply: Instance[] };
  'instances:current': { arguments: []; reply: string };
  'instances:select': { arguments: [id: string]; reply: void };
  'instances:add': { arguments: [choice: InstanceChoice]; reply: string };
  'instances:edit': { arguments: [id: string, choice: InstanceChoice]; reply: void };
  'instances:remove': { arguments: [id: string]; reply: void };
  'instances:keep-key': { arguments: [id: string, key: string]; reply: void };
  /** An empty id starts no sign-in and cancels the pending one. */
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
  /** The subscription id is assigned by the preload script; `events:document` carries it back. */
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

/** Events that the main process sends to the page. */
export interface DesktopPushes {
  'instances:changed': [instances: Instance[]];
  'events:document': [subscription: string, document: unknown];
  'events:refused': [subscription: string];
  'server:changed': [state: ServerState];
  'app:changed': [state: AppState];
  command: [command: Command];
  'offers:waiting': [];
}

/** The answer to a call. Only a rejection's message crosses the bridge, never the error itself. */
export type DesktopAnswer<Reply> =
  | { readonly ok: true; readonly value: Reply }
  | { readonly ok: false; readonly message: string };

declare global {
  interface Window {
    /** Present in the desktop app only. */
    readonly desktop?: Desktop;
  }
}
