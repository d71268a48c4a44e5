import { ApiFailure } from '../api/failure.ts';

/** Has the main process keep the certificate that was compared. Throws ApiFailure with its sentence. */
export async function acceptCertificate(id: string, fingerprint: string): Promise<void> {
  try {
    await window.desktop?.instances.acceptCertificate(id, fingerprint);
  } catch (error) {
    throw new ApiFailure('refused', error instanceof Error ? error.message : String(error));
  }
}
