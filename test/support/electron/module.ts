// The module behind `import … from 'electron'` with the fake. Everything that main/ imports must be here.
export { app } from './app.ts';
export { BaseWindow } from './base-window.ts';
export { BrowserWindow } from './browser-window.ts';
export { ClipboardItem, clipboard } from './clipboard.ts';
export { dialog, Menu, nativeTheme, screen, shell } from './doubles.ts';
export { ipcMain } from './ipc-main.ts';
export { protocol } from './protocol.ts';
export { net } from './ready-net.ts';
export { safeStorage } from './safe-storage.ts';
export { session } from './session.ts';
export { globalShortcut, Notification, nativeImage, powerMonitor, Tray } from './system.ts';
export { utilityProcess } from './utility-process.ts';
