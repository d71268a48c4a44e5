import { settings } from './settings.ts';

/** The page's side of the calls, provided by the preload script's `require('electron')`. Runs in the page. */
const electronOfPage = `
const listeners = new Map();
const heardOf = (channel) => listeners.get(channel) ?? listeners.set(channel, new Set()).get(channel);
const freeze = (value) => {
  if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) freeze(inner);
  return Object.freeze(value);
};
// Playwright transfers text; bytes still arrive as bytes, as if cloned.
const bytesAsText = (_, value) =>
  value instanceof Uint8Array
    ? { $bytes: btoa(Array.from(value, (byte) => String.fromCharCode(byte)).join('')) }
    : value;
const electron = {
  ipcRenderer: {
    async invoke(channel, ...args) {
      // What cannot be cloned throws here, as in Electron.
      structuredClone(args);
      const answer = JSON.parse(await invokeInMain(channel, JSON.stringify(args, bytesAsText)));
      if ('error' in answer) throw new Error("Error invoking remote method '" + channel + "': " + answer.error);
      return answer.value;
    },
    on: (channel, listener) => void heardOf(channel).add(listener),
    off: (channel, listener) => void heardOf(channel).delete(listener),
  },
  contextBridge: {
    exposeInMainWorld: (name, value) => Object.defineProperty(window, name, { value: freeze(value) }),
  },
};
Object.defineProperty(window, '__hearFromMain', {
  value: (channel, json) => {
    for (const listener of [...heardOf(channel)]) listener({}, ...JSON.parse(json));
  },
});
`;

/** Reports where a context menu is requested, like Chromium; nothing opens by itself. */
const contextMenus = `
addEventListener('contextmenu', (event) => {
  if (event.defaultPrevented) return;
  const at = event.composedPath()[0];
  const field = at instanceof HTMLInputElement || at instanceof HTMLTextAreaElement ? at : undefined;
  const isEditable = Boolean(field && !field.readOnly && !field.disabled && !/^(button|checkbox|radio|submit)$/.test(field.type));
  const selectionText = field ? field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0) : String(getSelection());
  const has = selectionText !== '';
  const editFlags = {
    canUndo: isEditable, canRedo: false, canCut: isEditable && has, canCopy: has,
    canPaste: isEditable, canDelete: isEditable && has, canSelectAll: true, canEditRichly: false,
  };
  window.__openContextMenu({ isEditable, selectionText, editFlags, x: event.clientX, y: event.clientY });
});
`;

/**
 * Runs before any script of the page: the preload script with the few globals of a sandboxed one. Like Electron's, it
 * runs in the main frame only. It shares the page's world here; that Electron separates the worlds is for the real one
 * to prove.
 */
export function pageScript(preload: string, args: string[]): string {
  const process = JSON.stringify({ platform: settings.platform, argv: ['stand-in', ...args] });
  return `(() => {
if (window.top !== window) return;
window.__beginDocument(location.href);
const invokeInMain = window.__invokeInMain;
${electronOfPage}
${contextMenus}
const require = (name) => {
  if (name !== 'electron') throw new Error('module not found: ' + name);
  return electron;
};
((require, process, module, exports) => {
${preload}
})(require, ${process}, { exports: {} }, {});
})();`;
}
