import { type ContextMenuParams, Menu, type MenuItemConstructorOptions, type WebContents } from 'electron';

/** Adds a context menu. Electron has none by default, so pasting with a mouse would be impossible. */
export function addContextMenu(contents: Pick<WebContents, 'on'>): void {
  contents.on('context-menu', (_event, params) => {
    const template = contextTemplate(params);
    if (template.length > 0) Menu.buildFromTemplate(template).popup();
  });
}

/** The menu template; empty if there is nothing to offer. */
function contextTemplate({
  isEditable,
  selectionText,
  editFlags,
}: Pick<ContextMenuParams, 'editFlags' | 'isEditable' | 'selectionText'>): MenuItemConstructorOptions[] {
  if (!isEditable) return selectionText.trim() ? [{ role: 'copy' }] : [];
  return [
    { role: 'undo', enabled: editFlags.canUndo },
    { role: 'redo', enabled: editFlags.canRedo },
    { type: 'separator' },
    { role: 'cut', enabled: editFlags.canCut },
    { role: 'copy', enabled: editFlags.canCopy },
    { role: 'paste', enabled: editFlags.canPaste },
    { type: 'separator' },
    { role: 'selectAll', enabled: editFlags.canSelectAll },
  ];
}
