/** Translated messages of failures, by code. For missing codes, the server's more detailed message is shown. */
export const failures: Record<string, string> = {
  offline: 'Le serveur ne répond pas.',
  timeout: 'Le délai d’attente est dépassé. Réessayez.',
  untrusted: 'Ce système n’approuve pas le certificat de ce serveur.',
  certificate_changed: 'Le certificat de ce serveur n’est pas celui que vous avez accepté.',
  key_store_locked: 'Le trousseau de ce système est verrouillé. Déverrouillez-le et réessayez.',
  key_store_foreign:
    'La connexion conservée ici ne peut pas être ouverte : elle vient d’un autre ordinateur ou utilisateur, ou le trousseau a été réinitialisé. Elle est conservée jusqu’à ce que vous vous reconnectiez.',
  rate_limited: 'Trop de requêtes. Patientez un peu, puis réessayez.',
  internal: 'Un problème est survenu sur le serveur. Réessayez.',
  busy: 'Le serveur est occupé. Réessayez dans quelques secondes.',
  answers_unread:
    'Des réponses précédentes n’ont pas encore été lues. Lisez-les jusqu’au bout, puis réessayez.',
  unavailable: 'Indisponible pour le moment. Réessayez plus tard.',
  restoring:
    'Une sauvegarde est en cours de restauration : rien n’a été modifié. Vérifiez les données restaurées et réessayez dans une minute.',
  disk_full: 'Le disque du serveur est plein. Libérez de l’espace et réessayez.',
  not_found: 'Introuvable. L’élément a peut-être été supprimé.',
  too_many_streams:
    'Trop de fenêtres reçoivent des données en direct. Fermez-en quelques-unes, puis réessayez.',
  too_many_visits: 'Trop de fiches sont ouvertes en même temps. Fermez-en quelques-unes.',
  required: 'Obligatoire.',
  too_large: 'Ces données dépassent la taille que le serveur accepte.',
  too_many: 'Le nombre maximal est atteint. Supprimez d’abord un élément.',
  incomplete_body: 'L’envoi n’est pas arrivé en entier. Réessayez.',

  invalid_credentials: 'E-mail, nom d’utilisateur ou mot de passe incorrect.',
  code_required: 'Saisissez le code de votre appli d’authentification.',
  invalid_code: 'Ce code est incorrect ou a déjà été utilisé. Attendez le suivant.',
  too_many_jobs:
    'Trois actions groupées sont déjà en cours. Attendez la fin de l’une d’elles ou annulez-en une.',
  too_many_failures: 'Trop de tentatives. Réessayez plus tard.',
  setup_code_required: 'Saisissez le code de configuration que le serveur a affiché au démarrage.',
  passwords_off:
    'La connexion par mot de passe est désactivée ici. Utilisez l’authentification unique ou une clé d’accès.',
  sign_in_expired: 'Cette connexion a expiré ou a déjà servi. Recommencez dans l’appli.',
  sign_in_again:
    'Connectez-vous à nouveau pour continuer : sans mot de passe, la connexion doit dater de moins de cinq minutes.',
  session_required: 'Une clé API ne peut pas l’autoriser. Connectez-vous dans le navigateur et réessayez.',
  account_only_session:
    'Cela concerne une personne, pas une équipe. Connectez-vous ou utilisez une clé de votre compte personnel.',
  reset_invalid: 'Ce lien est incorrect, utilisé ou expiré. Demandez-en un nouveau.',
  mail_off: 'Cette instance n’envoie pas d’e-mails : aucun serveur de messagerie n’est défini.',
  mail_plain:
    'Sans chiffrement, seuls des serveurs de votre propre réseau peuvent être utilisés. Choisissez TLS ou STARTTLS.',
  mail_unreachable: '{server} est injoignable : « {words} ». Vérifiez le serveur et le port.',
  mail_timeout: '{server} n’a pas répondu à temps. Vérifiez le port, et qu’il correspond à la sécurité.',
  mail_tls:
    'Aucune connexion sécurisée à {server} : « {words} ». Vérifiez la sécurité et le nom dans le certificat.',
  mail_no_starttls:
    '{server} ne propose pas STARTTLS : rien n’a été envoyé. Choisissez TLS ou adressez-vous à son exploitant.',
  mail_public:
    '{host} n’est pas dans votre réseau : rien n’a été envoyé sans chiffrement. Choisissez TLS ou STARTTLS.',
  mail_auth: '{server} refuse l’utilisateur ou le mot de passe : « {words} ». Vérifiez les deux.',
  mail_sender:
    '{server} n’accepte pas d’e-mails de {from} : « {words} ». Utilisez un expéditeur qui y est autorisé.',
  mail_recipient: '{server} refuse le destinataire : « {words} ».',
  mail_refused: '{server} refuse le message : « {words} ».',
  mail_limit: 'Trop d’e-mails ont été envoyés. Réessayez plus tard.',
  mail_incomplete: 'Saisissez l’adresse d’où partent les e-mails.',
  email_taken: 'Cet e-mail est déjà utilisé.',
  username_taken: 'Ce nom d’utilisateur est déjà utilisé.',
  no_password: 'Votre compte n’a pas de mot de passe. Choisissez-en d’abord un dans Réglages, Sécurité.',
  wrong_password: 'Le mot de passe actuel est incorrect.',
  password_required: 'Trop de codes incorrects de suite. Saisissez aussi votre mot de passe actuel.',
  current_password_required: 'Pour en choisir un nouveau, saisissez votre mot de passe actuel.',
  code_or_password_required:
    'Saisissez un code de votre appli d’authentification ou votre mot de passe actuel.',
  already_enabled: 'L’authentification à deux facteurs est déjà activée. Désactivez-la d’abord.',
  not_enabled: 'L’authentification à deux facteurs n’est pas activée.',
  setup_expired: 'La configuration a expiré. Recommencez et scannez le nouveau code.',

  invalid_passkey:
    'Cette clé d’accès n’est pas acceptée ici. Essayez-en une autre ou connectez-vous avec votre mot de passe.',
  passkey_exists: 'Cette clé d’accès est déjà utilisée ici.',
  passkey_refused: 'Cette clé d’accès n’a pas pu être vérifiée. Recommencez.',
  passkey_needs_https: 'Les clés d’accès exigent HTTPS. Ouvrez l’instance en https://.',
  passkey_needs_name:
    'Les clés d’accès ne fonctionnent pas avec une simple adresse IP. Ouvrez l’instance par son nom d’hôte.',

  sso_off: 'L’authentification unique n’est pas configurée sur cette instance.',
  sso_away:
    'Le fournisseur d’authentification unique est injoignable. Réessayez ou connectez-vous autrement.',
  sso_unreachable:
    'Le fournisseur est injoignable à cet émetteur. Vérifiez l’adresse, et que ce serveur peut y accéder.',
  sso_no_provider: 'Il n’y a pas de fournisseur OpenID Connect à cet émetteur. Vérifiez l’adresse.',
  sso_other_issuer:
    'Le fournisseur indique un autre émetteur. Copiez l’émetteur exactement comme il l’indique.',
  sso_client: 'Le fournisseur n’accepte pas l’ID client ou le secret client de cette instance.',
  sso_broken:
    'Le fournisseur d’authentification unique est mal configuré. Demandez à un administrateur ou connectez-vous autrement.',
  sso_misconfigured: 'Le fournisseur ne fonctionne pas : {reason}.',
  sso_incomplete: 'Saisissez d’abord l’émetteur et l’ID client.',
  sso_no_administrator:
    'Aucun administrateur n’a encore associé son compte à ce fournisseur. Associez d’abord le vôtre, sinon plus personne ne pourrait se connecter.',
  sso_domain:
    'Cette instance n’accepte que d’autres domaines e-mail. Utilisez un compte de votre organisation ou adressez-vous à un administrateur.',
  sso_no_account:
    'Vous n’avez pas de compte sur cette instance. Demandez une invitation à un administrateur, ou connectez-vous autrement et associez votre compte.',
  sso_must_link:
    'Un compte existe avec votre adresse. Connectez-vous autrement et associez-le dans Réglages, Sécurité.',
  sso_expired: 'Cette connexion a expiré ou a commencé dans une autre fenêtre. Recommencez.',
  sso_refused:
    'L’authentification unique a échoué : la réponse du fournisseur n’a pas pu être vérifiée. Recommencez.',
  sso_denied: 'Le fournisseur n’a pas validé la connexion : la demande y a été annulée ou refusée.',
  identity_taken: 'Cette identité est déjà associée à un compte.',
  last_way_in:
    'C’est votre seul moyen de vous connecter. Choisissez d’abord un mot de passe ou ajoutez un autre moyen.',

  registration_closed: 'Cette instance n’accepte pas de nouveaux comptes.',
  invitation_required: 'Pour créer un compte, ouvrez votre lien d’invitation.',
  invalid_invitation: 'Cette invitation est incorrecte, utilisée ou expirée. Demandez-en une nouvelle.',
  invitation_email: 'Cette invitation est réservée à une autre adresse e-mail.',
  invite_invalid: 'Cette invitation n’est pas valable. Demandez-en une nouvelle.',
  invite_expired: 'Cette invitation a expiré. Demandez-en une nouvelle.',
  invite_used: 'Cette invitation est épuisée. Demandez-en une nouvelle.',
  expires_in_past: 'Choisissez une date future.',
  expires_too_late:
    'Une clé ne peut pas créer de clés qui durent plus qu’elle. Choisissez une date plus proche.',
  key_expires: 'Cette clé expire et ne peut rien faire qui dure plus qu’elle. Connectez-vous pour cela.',

  plan_required: 'Votre forfait ne le comprend pas, ou sa limite est atteinte.',
  'plan_required.links':
    'Le nombre de liens de votre forfait est atteint. Supprimez des liens ou changez de forfait.',
  storage_full:
    'Il n’y a plus assez d’espace dans votre forfait. Supprimez des fichiers ou changez de forfait.',
  scope_missing: 'Il manque une autorisation à cette clé.',
  primary_key: 'La clé principale ne peut être ni limitée ni supprimée. Elle peut être régénérée.',
  ratelimit_too_high: 'Seuls les administrateurs peuvent autoriser une limite aussi élevée.',
  administrator_required: 'Réservé aux administrateurs de cette instance.',
  role_too_low: 'Votre rôle dans cette équipe ne le permet pas. Adressez-vous à un admin de l’équipe.',
  already_member: 'Vous êtes déjà membre de cette équipe.',
  team_full: 'Cette équipe a autant de membres que son forfait le permet. Adressez-vous à son propriétaire.',
  unknown_member: 'Choisissez un autre membre de cette équipe.',
  last_owner:
    'Cette équipe vous appartient. Transférez-la à un autre membre avant de la quitter, ou supprimez-la.',
  own_only:
    'Seuls les lecteurs et les contributeurs peuvent être limités à leurs créations. Choisissez un autre rôle.',
  owner_by_transfer: 'Une équipe a un seul propriétaire. Pour en changer, il faut la transférer.',
  owns_teams: 'Cette personne possède des équipes. Transférez-les ou supprimez-les d’abord.',
  unknown_user: 'Choisissez une autre personne qui peut se connecter.',
  last_administrator: 'C’est le dernier administrateur. Nommez-en d’abord un autre.',
  plan_in_use: 'Déplacez d’abord les comptes de ce forfait vers un autre.',
  plan_by_claim: 'L’authentification unique attribue ce forfait. Choisissez-y d’abord un autre forfait.',
  default_plan: 'Les nouveaux comptes reçoivent ce forfait. Choisissez-en d’abord un autre par défaut.',
  last_free_plan: 'Il faut au moins un forfait gratuit : les comptes y reviennent.',
  account_not_found: 'Vous n’avez pas accès à ce compte. Choisissez-en un autre.',
  same_account: 'Ces éléments sont déjà dans ce compte. Choisissez-en un autre.',

  name_taken: 'Ce nom est déjà utilisé. Choisissez-en un autre.',
  empty_part: 'Écrivez quelque chose avant, entre et après les barres obliques, par exemple print/2027.',
  turned_text: 'Supprimez les caractères qui inversent le sens d’écriture.',
  alias_taken: 'Cet alias est déjà pris. Choisissez-en un autre.',
  slug_taken: 'Ce slug est déjà pris. Choisissez-en un autre.',
  invalid_slug: 'Pour le slug, utilisez de 1 à 80 lettres, chiffres, tirets, tirets bas, points ou tildes.',
  unknown_plan: 'Forfait introuvable.',
  unknown_domain: 'Ce domaine ne fait pas partie des vôtres.',
  unknown_bio: 'Cette page bio ne fait pas partie des vôtres.',
  unknown_file: 'Ce fichier ne fait pas partie des vôtres.',
  unknown_qr: 'Ce QR code ne fait pas partie des vôtres.',
  unknown_type: 'Page intermédiaire ou encart introuvable.',
  locked: 'Ce lien est verrouillé. Déverrouillez-le d’abord.',
  changed: 'Quelqu’un a modifié cet élément entre-temps. Relisez-le, puis enregistrez.',
  alias_reserved: 'Cet alias est réservé à l’instance. Choisissez-en un autre.',
  invalid_alias:
    'Pour l’alias, utilisez de 1 à 80 lettres, chiffres, tirets, tirets bas, points ou tildes, sans extension d’image.',
  invalid_url: 'Saisissez une URL complète et sans identifiants, comme https://example.com.',
  invalid_date: 'Saisissez une date valide.',
  invalid_range: 'Cette période n’est pas valable. La fin doit suivre le début, dans les 20 ans.',
  rules_too_large: 'Ces règles sont trop volumineuses. Réduisez les conditions, les valeurs ou les URL.',
  unknown_campaign: 'Cette campagne ne fait pas partie des vôtres.',
  unknown_channel: 'Ce canal ne fait pas partie des vôtres.',
  unknown_pixel: 'Ce pixel ne fait pas partie des vôtres.',
  unknown_link: 'Ce lien ne fait pas partie des vôtres.',
  unknown_country: 'Ce pays est inconnu.',
  unknown_device: 'Cet appareil est inconnu.',
  unknown_language: 'Cette langue est inconnue.',
  unknown_team: 'Équipe introuvable.',
  low_contrast: 'Le contraste est trop faible. Choisissez des couleurs plus contrastées.',
  logo_too_large: 'Le logo cache une trop grande part du code. Réduisez-le.',
  inverted_colors: 'Le code est plus clair que son arrière-plan. Choisissez un code plus foncé.',
  unreadable_style:
    'Certains lecteurs risquent de ne pas le lire. Essayez d’autres formes, plus de contraste ou un logo plus petit.',
  file_too_large: 'Le fichier à cette URL est trop volumineux.',
  invalid_image: 'Cette image n’est pas utilisable. Choisissez un PNG ou un JPEG plus petit.',
  too_many_pictures: 'Vos pages affichent déjà le nombre maximal d’images. Retirez-en une d’abord.',
  loop: 'Cette URL ramène ici. Choisissez la destination finale.',
  unreachable_url:
    'Impossible de récupérer cette URL. Utilisez une URL publique http ou https qui répond en quelques secondes.',
  invalid_percentage: 'La somme des pourcentages dépasse 100.',
  invalid_timezone: 'Choisissez un fuseau horaire, comme Europe/Paris.',
  expiry_past: 'Choisissez aujourd’hui ou une date ultérieure pour l’expiration.',
  in_the_past: 'Ce moment est passé. Choisissez-en un à venir.',
  test_over: 'Le test A/B de cette ligne est terminé : le lien mène là où le test a abouti.',
  password_missing:
    'Ce lien avait un mot de passe, qu’aucun fichier ne contient. Il est archivé jusqu’à ce que vous en définissiez un.',
  password_needed:
    'La destination avait un mot de passe, et le lien existant n’en a pas. Définissez-en d’abord un.',
  archive_passed: 'La date d’archivage de ce lien est passée : il est archivé tout de suite.',
  days_passed:
    'La date d’archivage ou de suppression de ce lien est passée. Le lien existant reste en service.',
  invalid_settings: 'Corrigez « {field} », ou laissez de côté les réglages de cette ligne.',
  invalid_operator: '« {field} » ne convient pas à cette condition. Corrigez-le.',
  invalid_value: '« {field} » a une valeur impossible ici. Corrigez-la.',
  unknown_utm: 'Ce modèle UTM n’existe pas.',
  delete_passed:
    'La date de suppression de ce lien est passée. Il est archivé à la place, pour que rien ne soit perdu.',
  unknown_variant: 'Choisissez une des variantes comme gagnante, ou aucune.',
  empty_file: 'Le fichier est vide.',
  content_too_long: 'Ce contenu est trop long pour un QR code. Raccourcissez-le.',
  already_undone: 'Cette modification est déjà annulée.',
  nothing_to_undo: 'Il n’y a plus rien à annuler : les éléments concernés n’existent plus.',
  still_running: 'L’opération est encore en cours. Attendez la fin ou annulez-la d’abord.',
  changed_since:
    'Il y a eu d’autres modifications depuis. Annulez d’abord la plus récente ou modifiez le lien.',

  domain_taken: 'Ce domaine a déjà été ajouté. Chacun ne sert qu’une fois.',
  invalid_domain: 'Ce nom d’hôte n’est pas accepté. Saisissez-en un comme go.example.com.',
  dns_mismatch: 'Le domaine ne pointe pas encore vers ce serveur.',
  address_is_domain:
    'Cet hôte est un domaine de cette instance. Supprimez d’abord ce domaine ou choisissez une autre URL.',
  addresses_required: 'Les certificats exigent les adresses publiques de ce serveur. Saisissez-les d’abord.',
  setting_fixed: 'Ce réglage est défini au démarrage. Modifiez-le là, puis redémarrez.',
  webhook_off: 'Activez d’abord le webhook.',
  webhook_locked: 'Le secret de ce webhook ne peut pas être déchiffré ici. Définissez-en un nouveau.',

  backup_running: 'Une sauvegarde ou une restauration est en cours. Attendez la fin ou annulez-la.',
  restart_needed: 'Une sauvegarde restaurée attend le redémarrage du serveur.',
  not_a_backup: 'Ce fichier n’est pas une sauvegarde Waypost.',
  backup_damaged: 'Cette sauvegarde est endommagée.',
  database_damaged: 'La base de données de cette sauvegarde est endommagée.',
  backup_newer:
    'Cette sauvegarde a été créée par un Waypost plus récent. Mettez d’abord ce programme à jour.',
  passphrase_wrong: 'Phrase secrète de la sauvegarde incorrecte.',
  passphrase_required: 'Saisissez la phrase secrète de la sauvegarde ou restaurez sans les secrets.',
  keys_missing:
    'Cette sauvegarde a été créée sans phrase secrète sur une autre machine : elle n’a pas de secrets. La restaurer désactive l’authentification à deux facteurs pour tous.',
  vault_key_differs:
    'La sauvegarde exige une autre clé de coffre que celle du serveur. Démarrez-le avec la WAYPOST_VAULT_KEY de la sauvegarde ou restaurez sans les secrets.',
};
