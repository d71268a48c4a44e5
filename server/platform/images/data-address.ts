const dataAddress = /^data:image\/(?:png|jpeg);base64,([A-Za-z0-9+/]+={0,2})$/;

/** The bytes of a PNG or JPEG in a `data:` URL; undefined for anything else. The content is not checked. */
export function readDataAddress(text: string): Buffer | undefined {
  const encoded = dataAddress.exec(text)?.[1];
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64');
}
