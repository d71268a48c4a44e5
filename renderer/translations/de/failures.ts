/** Translated messages of failures, by code. For missing codes, the server's more detailed message is shown. */
export const failures: Record<string, string> = {
  offline: 'Der Server antwortet nicht.',
  timeout: 'Das hat zu lange gedauert. Erneut versuchen.',
  untrusted: 'Dieses System vertraut dem Zertifikat des Servers nicht.',
  certificate_changed: 'Das Zertifikat des Servers ist nicht das akzeptierte.',
  key_store_locked: 'Der Schlüsselspeicher dieses Systems ist gesperrt. Entsperren und erneut versuchen.',
  key_store_foreign:
    'Die hier aufbewahrte Anmeldung lässt sich nicht öffnen: Sie stammt von einem anderen Rechner oder Benutzer, oder der Schlüsselspeicher wurde zurückgesetzt. Sie bleibt erhalten, bis Sie sich neu anmelden.',
  rate_limited: 'Zu viele Anfragen. In einigen Sekunden erneut versuchen.',
  internal: 'Im Server ist ein Fehler aufgetreten. Erneut versuchen.',
  not_found: 'Nicht gefunden. Vielleicht wurde es gelöscht.',
  required: 'Pflichtfeld.',
  unavailable: 'Das ist gerade nicht verfügbar. Später erneut versuchen.',
  busy: 'Der Server ist ausgelastet. In einigen Sekunden erneut versuchen.',
  answers_unread:
    'Frühere Antworten wurden noch nicht gelesen. Erst diese zu Ende lesen, dann erneut versuchen.',
  too_many_visits: 'Zu viele Einträge sind gleichzeitig geöffnet. Einige schließen.',
  too_many_streams: 'Zu viele Fenster empfangen Live-Daten. Einige schließen und erneut versuchen.',
  restoring:
    'Gerade wird ein Backup wiederhergestellt, deshalb wurde nichts geändert. In einer Minute die Daten prüfen und erneut versuchen.',
  disk_full: 'Der Speicherplatz des Servers ist voll. Platz schaffen und erneut versuchen.',
  too_large: 'Das ist größer, als der Server annimmt.',
  incomplete_body: 'Der Upload war unvollständig. Erneut versuchen.',
  too_many: 'Die Höchstzahl ist erreicht. Erst muss wieder Platz geschaffen werden.',

  plan_required: 'Der Tarif enthält das nicht, oder er ist ausgeschöpft.',
  'plan_required.links': 'Die Anzahl an Links im Tarif ist erreicht. Links löschen oder den Tarif wechseln.',
  storage_full: 'Der Speicherplatz im Tarif reicht nicht. Dateien löschen oder den Tarif wechseln.',
  role_too_low: 'Die eigene Rolle in diesem Team erlaubt das nicht. Ein Admin des Teams kann helfen.',
  administrator_required: 'Das können nur Administratoren dieser Instanz.',
  account_not_found: 'Zu diesem Konto besteht kein Zugang. Ein anderes wählen.',
  account_only_session: 'Das gehört zu einer Person, nicht zu einem Team. Im persönlichen Konto versuchen.',
  scope_missing: 'Diesem Schlüssel fehlt die nötige Berechtigung.',
  key_expires: 'Dieser Schlüssel läuft ab und darf nichts anlegen, das ihn überdauert. Dafür bitte anmelden.',
  session_required: 'Ein API-Schlüssel kann das nicht erlauben. Im Browser anmelden und erneut versuchen.',

  invalid_credentials: 'E-Mail, Benutzername oder Passwort ist falsch.',
  wrong_password: 'Das aktuelle Passwort ist falsch.',
  no_password: 'Dieses Konto hat kein Passwort. Zuerst unter „Einstellungen“, „Sicherheit“ eines wählen.',
  current_password_required: 'Zum Wählen eines neuen Passworts das aktuelle eingeben.',
  password_required: 'Zu viele falsche Codes in Folge. Auch das aktuelle Passwort eingeben.',
  passwords_off: 'Die Anmeldung mit Passwort ist hier aus. Single Sign-on oder einen Passkey verwenden.',
  sign_in_again:
    'Dafür neu anmelden: Dieses Konto hat kein Passwort, und die Anmeldung liegt mehr als fünf Minuten zurück.',
  sign_in_expired: 'Diese Anmeldung ist abgelaufen oder wurde schon verwendet. In der App neu beginnen.',
  too_many_jobs: 'Es laufen schon drei Sammelaktionen. Warten, bis eine fertig ist, oder eine abbrechen.',
  too_many_failures: 'Zu viele Fehlversuche. Später erneut versuchen.',
  code_required: 'Den Code aus der Authenticator-App eingeben.',
  code_or_password_required: 'Einen Code aus der Authenticator-App oder das aktuelle Passwort eingeben.',
  invalid_code: 'Dieser Code ist falsch oder schon verwendet. Den nächsten abwarten.',
  already_enabled: 'Die Zwei-Faktor-Authentifizierung ist schon an. Zuerst ausschalten.',
  not_enabled: 'Die Zwei-Faktor-Authentifizierung ist nicht an.',
  setup_expired: 'Die Einrichtung ist abgelaufen. Neu beginnen und den neuen Code scannen.',
  setup_code_required: 'Den Einrichtungscode eingeben, den der Server beim Start ausgegeben hat.',
  reset_invalid: 'Dieser Link ist ungültig, verwendet oder abgelaufen. Einen neuen anfordern.',
  invalid_passkey:
    'Dieser Passkey wird hier nicht akzeptiert. Einen anderen versuchen oder mit Passwort anmelden.',
  passkey_exists: 'Dieser Passkey wird hier schon verwendet.',
  passkey_refused: 'Dieser Passkey konnte nicht bestätigt werden. Neu beginnen.',
  passkey_needs_name:
    'Mit einer reinen IP-Adresse funktionieren Passkeys nicht. Die Instanz über ihren Hostnamen öffnen.',
  passkey_needs_https: 'Passkeys brauchen HTTPS. Die Instanz über https:// öffnen.',

  sso_off: 'Single Sign-on ist auf dieser Instanz nicht eingerichtet.',
  sso_away: 'Der Anbieter für Single Sign-on ist nicht erreichbar. Erneut versuchen oder anders anmelden.',
  sso_unreachable:
    'Der Anbieter ist unter diesem Aussteller nicht erreichbar. Die Adresse prüfen, und ob dieser Server sie aufrufen darf.',
  sso_no_provider: 'Unter diesem Aussteller gibt es keinen Anbieter für OpenID Connect. Die Adresse prüfen.',
  sso_other_issuer:
    'Der Anbieter nennt sich selbst anders. Den Aussteller genau so übernehmen, wie er ihn angibt.',
  sso_client: 'Der Anbieter nimmt die Client-ID oder das Client-Geheimnis dieser Instanz nicht an.',
  sso_broken:
    'Single Sign-on ist nicht richtig eingerichtet. Einen Administrator fragen oder anders anmelden.',
  sso_misconfigured: 'Der Anbieter funktioniert nicht: {reason}.',
  sso_denied: 'Der Anbieter hat die Anmeldung abgebrochen oder abgelehnt.',
  sso_refused: 'Die Antwort des Anbieters konnte nicht bestätigt werden. Neu beginnen.',
  sso_expired: 'Diese Anmeldung ist abgelaufen oder wurde in einem anderen Fenster begonnen. Neu beginnen.',
  sso_domain:
    'Diese Instanz lässt nur bestimmte E-Mail-Domains zu. Ein Konto der Organisation verwenden oder einen Administrator fragen.',
  sso_no_account:
    'Auf dieser Instanz gibt es dazu kein Konto. Einen Administrator um eine Einladung bitten oder ein vorhandenes Konto verknüpfen.',
  sso_must_link:
    'Zu dieser Adresse gibt es schon ein Konto. Anders anmelden und unter „Einstellungen“, „Sicherheit“ verknüpfen.',
  sso_incomplete: 'Zuerst Aussteller und Client-ID eingeben.',
  sso_no_administrator:
    'Noch kein Administrator hat sein Konto mit diesem Anbieter verknüpft. Zuerst das eigene verknüpfen, sonst könnte sich niemand anmelden.',
  identity_taken: 'Diese Identität ist schon mit einem Konto verknüpft.',
  last_way_in:
    'Damit wäre keine Anmeldung mehr möglich. Zuerst ein Passwort festlegen oder einen anderen Weg hinzufügen.',

  email_taken: 'Diese E-Mail-Adresse wird schon verwendet.',
  username_taken: 'Dieser Benutzername ist schon vergeben.',
  invalid_timezone: 'Den Namen einer Zeitzone eingeben, etwa Europe/Berlin.',
  registration_closed: 'Diese Instanz nimmt keine neuen Konten an.',
  invitation_required: 'Zum Erstellen eines Kontos den Einladungslink öffnen.',
  invalid_invitation: 'Diese Einladung ist ungültig, verwendet oder abgelaufen. Um eine neue bitten.',
  invitation_email: 'Diese Einladung gilt für eine andere E-Mail-Adresse.',
  last_administrator: 'Das ist der letzte Administrator. Zuerst ein anderes Konto dazu machen.',
  owns_teams: 'Dieser Person gehören Teams. Sie zuerst übertragen oder löschen.',
  unknown_user: 'Eine andere Person wählen, die sich anmelden kann.',
  unknown_plan: 'Tarif nicht gefunden.',
  plan_in_use: 'Zuerst die Konten dieses Tarifs in einen anderen verschieben.',
  plan_by_claim: 'Single Sign-on vergibt diesen Tarif. Dort zuerst einen anderen Tarif wählen.',
  default_plan: 'Neue Konten beginnen mit diesem Tarif. Zuerst einen anderen als Standard wählen.',
  last_free_plan: 'Mindestens ein kostenloser Tarif ist nötig: Konten fallen darauf zurück.',

  unknown_team: 'Team nicht gefunden.',
  unknown_member: 'Ein anderes Mitglied dieses Teams wählen.',
  already_member: 'Sie sind schon Mitglied dieses Teams.',
  team_full: 'Das Team hat so viele Mitglieder, wie sein Tarif erlaubt. Der Inhaber des Teams kann helfen.',
  last_owner:
    'Dieses Team gehört Ihnen. Vor dem Verlassen muss es einem anderen Mitglied übertragen oder gelöscht werden.',
  own_only: 'Nur Betrachter und Mitwirkende lassen sich auf Eigenes beschränken. Eine andere Rolle wählen.',
  owner_by_transfer: 'Ein Team hat einen Inhaber. Das ändert nur eine Übertragung des Teams.',
  invite_invalid: 'Diese Einladung ist ungültig. Um eine neue bitten.',
  invite_expired: 'Diese Einladung ist abgelaufen. Um eine neue bitten.',
  invite_used: 'Diese Einladung ist aufgebraucht. Um eine neue bitten.',

  primary_key:
    'Der Hauptschlüssel hat immer vollen Zugriff und läuft nie ab. Er lässt sich nur neu erzeugen.',
  ratelimit_too_high: 'Ein so hohes Limit können nur Administratoren erlauben.',
  expires_in_past: 'Einen Zeitpunkt in der Zukunft wählen.',
  expires_too_late: 'Ein Schlüssel kann keine erstellen, die ihn überdauern. Früher ablaufen lassen.',

  name_taken: 'Dieser Name ist schon vergeben.',
  empty_part: 'Vor, zwischen und nach den Schrägstrichen muss etwas stehen, etwa print/2027.',
  turned_text: 'Die Zeichen entfernen, die die Schreibrichtung umkehren.',
  alias_taken: 'Dieser Alias ist schon vergeben. Einen anderen wählen.',
  alias_reserved: 'Dieser Alias ist der Instanz vorbehalten. Einen anderen wählen.',
  invalid_alias:
    'Für den Alias 1 bis 80 Buchstaben, Ziffern, Binde- und Unterstriche, Punkte oder Tilden verwenden, ohne Bildendung.',
  slug_taken: 'Dieser Slug ist schon vergeben. Einen anderen wählen.',
  invalid_slug:
    'Für den Slug 1 bis 80 Buchstaben, Ziffern, Binde- und Unterstriche, Punkte oder Tilden verwenden.',
  invalid_url: 'Eine vollständige URL ohne Zugangsdaten eingeben, etwa https://example.com.',
  unreachable_url:
    'Diese URL konnte nicht abgerufen werden. Eine öffentliche verwenden, die innerhalb weniger Sekunden antwortet.',
  loop: 'Diese URL führt hierher zurück. Das eigentliche Ziel eingeben.',
  invalid_date: 'Ein gültiges Datum eingeben; das Ende darf nicht vor dem Beginn liegen.',
  expiry_past: 'Heute oder einen späteren Tag wählen.',
  in_the_past: 'Dieser Zeitpunkt ist vorbei. Einen in der Zukunft wählen.',
  test_over: 'Der A/B-Test dieser Zeile ist vorbei: Der Link führt dorthin, wo der Test endete.',
  password_missing:
    'Dieser Link hatte ein Passwort, das in keiner Datei steht. Er bleibt archiviert, bis eines festgelegt ist.',
  password_needed:
    'Das Ziel hatte ein Passwort, und der vorhandene Link hat keines. Bitte zuerst dort eines festlegen.',
  archive_passed:
    'Der Tag, an dem dieser Link archiviert werden sollte, ist vorbei; er ist sofort archiviert.',
  days_passed:
    'Der Tag, an dem dieser Link archiviert oder gelöscht werden sollte, ist vorbei. Der vorhandene Link bleibt in Betrieb.',
  invalid_settings: '„{field}“ berichtigen oder die Einstellungen dieser Zeile weglassen.',
  invalid_operator: '„{field}“ passt nicht zu dieser Bedingung. Bitte berichtigen.',
  invalid_value: '„{field}“ hat einen Wert, der hier nicht möglich ist. Bitte berichtigen.',
  unknown_utm: 'Diese UTM-Vorlage gibt es nicht.',
  delete_passed:
    'Der Tag, an dem dieser Link gelöscht werden sollte, ist vorbei. Er wird stattdessen archiviert, damit nichts verloren geht.',
  unknown_variant: 'Eine der Varianten als Gewinner wählen, oder keine.',
  invalid_percentage: 'Die Anteile ergeben zusammen mehr als 100.',
  rules_too_large:
    'Diese Regeln sind zu umfangreich. Weniger Bedingungen und Werte oder kürzere URLs verwenden.',
  unknown_country: 'Dieses Land ist nicht bekannt.',
  unknown_device: 'Dieses Gerät ist nicht bekannt.',
  unknown_language: 'Diese Sprache ist nicht bekannt.',
  unknown_type: 'Zwischenseite oder Overlay nicht gefunden.',
  unknown_domain: 'Diese Domain gehört nicht zu diesem Konto.',
  unknown_link: 'Dieser Link gehört nicht zu diesem Konto.',
  unknown_campaign: 'Diese Kampagne gibt es nicht mehr.',
  unknown_channel: 'Diesen Kanal gibt es nicht mehr.',
  unknown_pixel: 'Dieses Pixel gibt es nicht mehr.',
  unknown_file: 'Diese Datei gehört nicht zu diesem Konto.',
  unknown_bio: 'Diese Bio-Seite gehört nicht zu diesem Konto.',
  unknown_qr: 'Dieser QR-Code gehört nicht zu diesem Konto.',
  locked: 'Dieser Link ist gesperrt. Zuerst entsperren.',
  changed: 'Das hat inzwischen jemand geändert. Noch einmal ansehen, dann speichern.',
  changed_since:
    'Das wurde seither wieder geändert. Zuerst die neuere Änderung rückgängig machen oder den Link bearbeiten.',
  already_undone: 'Diese Änderung ist schon rückgängig gemacht.',
  nothing_to_undo: 'Es gibt nichts mehr rückgängig zu machen.',
  still_running: 'Das läuft noch. Warten, bis es fertig ist, oder zuerst abbrechen.',
  same_account: 'Die Einträge sind schon in diesem Konto. Ein anderes wählen.',

  invalid_image: 'Dieses Bild lässt sich nicht verwenden. Ein kleineres PNG oder JPEG wählen.',
  file_too_large: 'Die Datei unter dieser URL ist zu groß.',
  too_many_pictures: 'Die Höchstzahl an Bildern ist erreicht. Zuerst eines entfernen.',
  empty_file: 'Die Datei ist leer.',
  content_too_long: 'Dieser Inhalt ist zu lang für einen QR-Code. Bitte kürzen.',
  logo_too_large: 'Das Logo verdeckt zu viel vom Code. Ein kleineres oder höhere Fehlerkorrektur wählen.',
  unreadable_style:
    'Scanner könnten diese Kombination nicht lesen. Andere Formen, mehr Kontrast oder ein kleineres Logo wählen.',
  low_contrast: 'Der Kontrast ist zu gering. Eine andere Farbe wählen.',
  inverted_colors: 'Der Code ist heller als sein Hintergrund; viele Scanner können das nicht lesen.',
  invalid_range: 'Ein Enddatum ab dem Startdatum wählen, höchstens 20 Jahre danach.',

  invalid_domain: 'Dieser Hostname ist nicht möglich. Einen anderen eingeben, etwa go.example.com.',
  domain_taken: 'Diese Domain wurde schon hinzugefügt. Jede kann nur einmal verwendet werden.',
  dns_mismatch: 'Die Domain zeigt noch nicht auf diesen Server.',
  address_is_domain:
    'Dieser Host ist eine Domain auf dieser Instanz. Zuerst die Domain löschen oder eine andere URL wählen.',
  addresses_required: 'Zertifikate brauchen die öffentlichen Adressen dieses Servers. Sie zuerst eingeben.',
  setting_fixed: 'Das ist beim Start festgelegt. Dort ändern und neu starten.',
  webhook_off: 'Den Webhook zuerst einschalten.',
  webhook_locked: 'Das Geheimnis dieses Webhooks lässt sich hier nicht entschlüsseln. Ein neues setzen.',
  mail_off: 'Diese Instanz sendet keine E-Mails: Es ist kein Mailserver eingetragen.',
  mail_limit: 'Es wurden zu viele E-Mails gesendet. Später erneut versuchen.',
  mail_incomplete: 'Die Adresse eingeben, von der E-Mails kommen.',
  mail_plain: 'Ohne Verschlüsselung sind nur Server im eigenen Netzwerk möglich. TLS oder STARTTLS wählen.',
  mail_unreachable: '{server} ist nicht erreichbar: „{words}“. Host und Port prüfen.',
  mail_timeout:
    '{server} hat nicht rechtzeitig geantwortet. Den Port prüfen, und ob er zur Sicherheit passt.',
  mail_tls:
    'Keine sichere Verbindung zu {server}: „{words}“. Die Sicherheit und den Namen im Zertifikat prüfen.',
  mail_no_starttls:
    '{server} bietet kein STARTTLS an, deshalb wurde nichts gesendet. TLS wählen oder den Betreiber fragen.',
  mail_public:
    '{host} liegt nicht im eigenen Netzwerk, deshalb wurde nichts unverschlüsselt gesendet. TLS oder STARTTLS wählen.',
  mail_auth: '{server} lehnt den Benutzer oder das Passwort ab: „{words}“. Beides prüfen.',
  mail_sender:
    '{server} nimmt keine E-Mails von {from} an: „{words}“. Einen Absender wählen, der dort erlaubt ist.',
  mail_recipient: '{server} lehnt den Empfänger ab: „{words}“.',
  mail_refused: '{server} lehnt die Nachricht ab: „{words}“.',

  backup_running: 'Ein Backup oder eine Wiederherstellung läuft. Warten oder abbrechen.',
  restart_needed: 'Ein wiederhergestelltes Backup wartet auf den Neustart des Servers.',
  not_a_backup: 'Diese Datei ist kein Waypost-Backup.',
  backup_damaged: 'Dieses Backup ist beschädigt.',
  database_damaged: 'Die Datenbank in diesem Backup ist beschädigt.',
  backup_newer: 'Dieses Backup stammt von einer neueren Version von Waypost.',
  passphrase_required: 'Die Backup-Passphrase eingeben oder ohne Geheimnisse wiederherstellen.',
  passphrase_wrong: 'Falsche Backup-Passphrase.',
  keys_missing:
    'Dieses Backup entstand ohne Passphrase auf einem anderen Rechner und hat keine Geheimnisse. Die Wiederherstellung schaltet die Zwei-Faktor-Authentifizierung für alle aus.',
  vault_key_differs:
    'Das Backup verlangt einen anderen Tresorschlüssel. Den Server mit dem WAYPOST_VAULT_KEY des Backups starten oder ohne Geheimnisse wiederherstellen.',
};
