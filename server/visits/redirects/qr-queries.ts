import type { Connection } from '../../platform/database/connect.ts';
import { dayMs } from '../clicks/dimensions.ts';

/** A QR code as the redirect path reads it. */
export interface ScannedRow {
  id: number;
  user_id: number;
  /** 0 is the instance's own host. */
  domain_id: number;
  type: string;
  dynamic: 0 | 1;
  /** Its destination, if it is a URL and not a link. */
  url: string | null;
  link_id: number | null;
  /** The link that it leads to; null if that was deleted. */
  link_alias: string | null;
  link_domain_id: number | null;
}

/** Reads of QR codes and their counters. */
export function qrVisitQueries(connection: Connection) {
  const byAlias = connection.prepare<[string], ScannedRow>(
    `SELECT qr_codes.id, qr_codes.user_id, ifnull(qr_codes.domain_id, 0) AS domain_id, qr_codes.type, dynamic,
            iif(qr_codes.type = 'link', json_extract(data, '$.url'), NULL) AS url, link_id,
            links.alias AS link_alias, ifnull(links.domain_id, 0) AS link_domain_id
     FROM qr_codes
     JOIN users ON users.id = qr_codes.user_id AND users.active = 1
     LEFT JOIN links ON links.id = link_id AND links.trashed_at IS NULL
     WHERE qr_codes.alias = ? AND leaving = 0`,
  );
  const addScan = connection.prepare<[number, number]>(
    'UPDATE qr_codes SET scans = scans + 1, scanned_at = max(coalesce(scanned_at, 0), ?) WHERE id = ?',
  );
  const addDailyScan = connection.prepare<[number, number]>(
    `INSERT INTO qr_scans (qr_id, day, scans) VALUES (?, ?, 1)
     ON CONFLICT (qr_id, day) DO UPDATE SET scans = scans + 1`,
  );
  return {
    find: (alias: string): ScannedRow | undefined => byAlias.get(alias),
    /** Counts a scan unless the code was deleted meanwhile. Runs inside a transaction. */
    addScan(id: number, at: number): void {
      if (addScan.run(at, id).changes === 1) addDailyScan.run(id, Math.floor(at / dayMs));
    },
  };
}

export type QrVisitQueries = ReturnType<typeof qrVisitQueries>;
