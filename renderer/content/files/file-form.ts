import type { FileChange, File as StoredFile, UploadQuery } from '../../../server/contract/files.ts';

/** Form state of a file; '' is not set. */
export interface FileFormState {
  name: string;
  custom: string;
  /** Host name; '' is the instance's own host. */
  domain: string;
  password: string;
  /** Removes the existing password. */
  openToAll: boolean;
  expiry: string;
  maxdownloads: number | null;
}

/** The initial form state. */
export function emptyFileForm(): FileFormState {
  return {
    name: '',
    custom: '',
    domain: '',
    password: '',
    openToAll: false,
    expiry: '',
    maxdownloads: null,
  };
}

/** The form state of an existing file, without its password. `ownHost` is the instance's host. */
export function formOfFile(file: StoredFile, ownHost: string): FileFormState {
  const host = file.domain?.replace(/^https?:\/\//, '') ?? '';
  return {
    name: file.name,
    custom: file.alias ?? '',
    domain: host === ownHost ? '' : host,
    password: '',
    openToAll: false,
    expiry: file.expiry?.slice(0, 10) ?? '',
    maxdownloads: file.maxdownloads ?? null,
  };
}

/** The query parameters of an upload. Name and alias are only sent for a single file. */
export function uploadQueryOf(form: FileFormState, isOnlyOne: boolean): UploadQuery {
  return {
    ...(isOnlyOne && form.name && { name: form.name }),
    ...(isOnlyOne && form.custom && { custom: form.custom }),
    ...(form.domain && { domain: form.domain }),
    ...(form.password && { password: form.password }),
    ...(form.expiry && { expiry: form.expiry }),
    ...(form.maxdownloads && { maxdownloads: form.maxdownloads }),
  };
}

/** The changed fields in API format; null clears a field. */
export function fileChangeOf(form: FileFormState, before: FileFormState): FileChange {
  const change: FileChange = {};
  if (form.name !== before.name) change.name = form.name;
  if (form.custom !== before.custom) change.custom = form.custom || null;
  if (form.domain !== before.domain) change.domain = form.domain || null;
  if (form.expiry !== before.expiry) change.expiry = form.expiry || null;
  if (form.maxdownloads !== before.maxdownloads) change.maxdownloads = form.maxdownloads;
  if (form.openToAll) change.password = null;
  else if (form.password) change.password = form.password;
  return change;
}
