/** Translated messages of failures, by code. For missing codes, the server's more detailed message is shown. */
export const failures: Record<string, string> = {
  offline: 'El servidor no responde.',
  timeout: 'Ha tardado demasiado. Inténtalo de nuevo.',
  untrusted: 'Este sistema no confía en el certificado del servidor.',
  certificate_changed: 'El certificado del servidor no es el que aceptaste.',
  key_store_locked: 'El almacén de claves de este sistema está bloqueado. Desbloquéalo e inténtalo de nuevo.',
  key_store_foreign:
    'El inicio de sesión guardado aquí no se puede abrir: procede de otro ordenador o usuario, o se ha restablecido el almacén de claves. Se conserva hasta que vuelvas a iniciar sesión.',
  rate_limited: 'Demasiadas solicitudes. Inténtalo de nuevo en unos segundos.',
  internal: 'Algo ha fallado en el servidor. Inténtalo de nuevo.',
  not_found: 'No se ha encontrado. Puede que se haya eliminado.',
  required: 'Obligatorio.',
  busy: 'El servidor está ocupado. Inténtalo de nuevo en unos segundos.',
  answers_unread: 'Todavía hay respuestas anteriores sin leer. Léelas hasta el final e inténtalo de nuevo.',
  unavailable: 'No está disponible en este momento. Inténtalo más tarde.',
  restoring:
    'Se está restaurando una copia de seguridad, así que no se ha cambiado nada. Comprueba los datos e inténtalo de nuevo en un minuto.',
  disk_full: 'El disco del servidor está lleno. Libera espacio e inténtalo de nuevo.',
  too_large: 'Es más grande de lo que admite este servidor.',
  incomplete_body: 'No ha llegado todo el contenido. Inténtalo de nuevo.',
  empty_file: 'El archivo está vacío. Elige otro.',
  invalid_image: 'Esta imagen no se puede usar. Elige un PNG o JPEG más pequeño.',
  too_many: 'Ya has alcanzado el máximo. Elimina o deja alguno primero.',
  too_many_pictures: 'Tus páginas ya muestran el máximo de imágenes. Quita una primero.',
  too_many_visits: 'Hay demasiados elementos abiertos a la vez. Cierra algunos.',
  too_many_streams: 'Demasiadas ventanas reciben datos en directo. Cierra algunas e inténtalo de nuevo.',

  plan_required: 'Tu plan no lo incluye o ya has alcanzado su límite.',
  'plan_required.links': 'Has alcanzado el número de enlaces de tu plan. Elimina enlaces o cambia de plan.',
  storage_full: 'No cabe en el espacio de tu plan. Elimina archivos o cambia de plan.',
  role_too_low: 'Tu rol en este equipo no lo permite. Pídelo a un administrador del equipo.',
  administrator_required: 'Solo los administradores de esta instancia pueden hacerlo.',
  account_not_found: 'No tienes acceso a esta cuenta. Elige otra.',
  account_only_session:
    'Pertenece a una persona, no a un equipo. Inicia sesión o usa una clave de tu cuenta personal.',
  scope_missing: 'A esta clave le falta el permiso necesario.',
  key_expires: 'Esta clave caduca y no puede hacer nada que dure más que ella. Inicia sesión para hacerlo.',
  session_required:
    'Una clave de API no puede permitirlo. Inicia sesión en el navegador e inténtalo de nuevo.',

  invalid_credentials: 'El correo, el nombre de usuario o la contraseña no son correctos.',
  wrong_password: 'La contraseña actual no es correcta.',
  no_password: 'Tu cuenta no tiene contraseña. Elige antes una en Ajustes, Seguridad.',
  current_password_required: 'Introduce tu contraseña actual para elegir otra.',
  password_required: 'Demasiados códigos incorrectos seguidos. Introduce también tu contraseña actual.',
  passwords_off:
    'Aquí no se inicia sesión con contraseña. Usa el inicio de sesión único o una llave de acceso.',
  sign_in_again:
    'Vuelve a iniciar sesión para hacerlo: no tienes contraseña y la iniciaste hace más de cinco minutos.',
  sign_in_expired: 'Este inicio de sesión ha caducado o ya se ha usado. Empieza de nuevo en la app.',
  too_many_jobs: 'Ya hay tres acciones en bloque en curso. Espera a que termine una o cancela una.',
  too_many_failures: 'Demasiados intentos fallidos. Inténtalo más tarde.',
  code_required: 'Introduce el código de tu app de autenticación.',
  code_or_password_required: 'Introduce un código de tu app de autenticación o tu contraseña actual.',
  invalid_code: 'Este código es incorrecto o ya se ha usado. Espera al siguiente.',
  already_enabled: 'La verificación en dos pasos ya está activada. Desactívala primero.',
  not_enabled: 'La verificación en dos pasos no está activada.',
  setup_expired: 'La configuración ha caducado. Empieza de nuevo y escanea el código nuevo.',
  setup_code_required: 'Introduce el código de configuración que el servidor mostró al iniciarse.',
  reset_invalid: 'Este enlace no es válido, ya se ha usado o ha caducado. Pide otro.',
  invalid_passkey: 'Esta llave de acceso no se acepta aquí. Prueba otra o inicia sesión con tu contraseña.',
  passkey_exists: 'Esta llave de acceso ya está en uso aquí.',
  passkey_refused: 'Esta llave de acceso no se ha podido verificar. Empieza de nuevo.',
  passkey_needs_name:
    'Las llaves de acceso no funcionan con una simple dirección IP. Abre la instancia con su nombre de host.',
  passkey_needs_https: 'Las llaves de acceso necesitan HTTPS. Abre la instancia con https://.',

  sso_off: 'El inicio de sesión único no está configurado en esta instancia.',
  sso_away:
    'No se puede contactar con el proveedor de inicio de sesión único. Inténtalo de nuevo o inicia sesión de otra forma.',
  sso_unreachable:
    'No se puede contactar con el proveedor en este emisor. Comprueba la dirección y que este servidor pueda acceder a ella.',
  sso_no_provider: 'En este emisor no hay ningún proveedor de OpenID Connect. Comprueba la dirección.',
  sso_other_issuer: 'El proveedor indica otro emisor. Copia el emisor exactamente como lo indica.',
  sso_client: 'El proveedor no acepta el ID de cliente o el secreto de cliente de esta instancia.',
  sso_broken:
    'El proveedor de inicio de sesión único no está bien configurado. Pregunta a un administrador o inicia sesión de otra forma.',
  sso_misconfigured: 'El proveedor no funciona: {reason}.',
  sso_denied: 'El proveedor no ha iniciado la sesión: se canceló o se denegó allí.',
  sso_domain:
    'Esta instancia solo acepta otros dominios de correo. Usa una cuenta de tu organización o pregunta a un administrador.',
  sso_no_account:
    'No tienes cuenta en esta instancia. Pide una invitación a un administrador, o vincula tu cuenta con la sesión iniciada.',
  sso_must_link:
    'Ya existe una cuenta con tu dirección. Inicia sesión en ella de otra forma y vincúlala en Ajustes, Seguridad.',
  sso_expired: 'Este inicio de sesión ha caducado o se empezó en otra ventana. Empieza de nuevo.',
  sso_refused:
    'El inicio de sesión único ha fallado: no se ha podido verificar la respuesta del proveedor. Empieza de nuevo.',
  sso_incomplete: 'Introduce antes el emisor y el ID de cliente.',
  sso_no_administrator:
    'Ningún administrador ha vinculado aún su cuenta con este proveedor. Vincula antes la tuya, o nadie podría entrar.',
  identity_taken: 'Esta identidad ya está vinculada a una cuenta.',
  last_way_in: 'Es tu única forma de iniciar sesión. Establece antes una contraseña o añade otra forma.',

  registration_closed: 'Esta instancia no acepta cuentas nuevas.',
  invitation_required: 'Abre tu enlace de invitación para crear una cuenta.',
  invitation_email: 'Esta invitación es para otra dirección de correo.',
  invalid_invitation: 'Esta invitación no es válida, ya se ha usado o ha caducado. Pide otra.',
  invite_invalid: 'Esta invitación no es válida. Pide otra.',
  invite_expired: 'Esta invitación ha caducado. Pide otra.',
  invite_used: 'Esta invitación ya se ha agotado. Pide otra.',
  email_taken: 'Ya hay una cuenta con este correo.',
  username_taken: 'Este nombre de usuario no está disponible. Elige otro.',
  invalid_timezone: 'Introduce el nombre de una zona horaria, por ejemplo Europe/Madrid.',
  last_administrator: 'Es el último administrador. Haz antes administrador a otra cuenta.',
  mail_off: 'Esta instancia no envía correos: falta configurar el servidor de correo.',
  mail_incomplete: 'Introduce la dirección desde la que se envían los correos.',
  mail_plain: 'Sin cifrado solo se pueden usar servidores de tu propia red. Elige TLS o STARTTLS.',
  mail_unreachable: 'No se puede contactar con {server}: «{words}». Comprueba el servidor y el puerto.',
  mail_timeout: '{server} no ha respondido a tiempo. Comprueba el puerto y que encaje con la seguridad.',
  mail_tls:
    'No hay conexión segura con {server}: «{words}». Comprueba la seguridad y el nombre del certificado.',
  mail_no_starttls:
    '{server} no ofrece STARTTLS, así que no se ha enviado nada. Elige TLS o pregunta a quien lo gestiona.',
  mail_public:
    '{host} no está en tu propia red, así que no se ha enviado nada sin cifrar. Elige TLS o STARTTLS.',
  mail_auth: '{server} ha rechazado el usuario o la contraseña: «{words}». Comprueba ambos.',
  mail_sender: '{server} no acepta correos de {from}: «{words}». Usa un remitente permitido allí.',
  mail_recipient: '{server} ha rechazado al destinatario: «{words}».',
  mail_refused: '{server} ha rechazado el mensaje: «{words}».',
  mail_limit: 'Se han enviado demasiados correos. Inténtalo más tarde.',

  already_member: 'Ya eres miembro de este equipo.',
  team_full: 'Este equipo ya tiene todos los miembros que permite su plan. Habla con su propietario.',
  last_owner: 'Un equipo necesita un propietario. Transfiérelo antes a otro miembro.',
  owner_by_transfer: 'Un equipo tiene un solo propietario, que solo cambia al transferirlo.',
  own_only: 'Solo se puede limitar a lo propio a lectores y colaboradores. Elige otro rol.',
  owns_teams: 'Esta persona tiene equipos. Transfiérelos o elimínalos antes.',
  unknown_member: 'Elige a otro miembro de este equipo.',
  unknown_team: 'No se ha encontrado el equipo.',
  unknown_user: 'Elige a otra persona que pueda iniciar sesión.',

  plan_in_use: 'Pasa antes las cuentas de este plan a otro.',
  plan_by_claim: 'El inicio de sesión único asigna este plan. Elige antes otro plan allí.',
  default_plan: 'Las cuentas nuevas empiezan con este plan. Elige antes otro plan predeterminado.',
  last_free_plan: 'Hace falta al menos un plan gratuito: las cuentas vuelven a él.',
  unknown_plan: 'No se ha encontrado el plan.',

  primary_key: 'La clave principal no se puede limitar ni eliminar. Regenérala si hace falta.',
  ratelimit_too_high: 'Solo los administradores pueden permitir un límite tan alto a una clave.',
  expires_too_late: 'Una clave no puede crear claves que duren más que ella. Elige una fecha anterior.',

  alias_taken: 'Este alias ya está en uso. Elige otro.',
  alias_reserved: 'Este alias está reservado: lo usa la propia instancia. Elige otro.',
  invalid_alias:
    'Usa de 1 a 80 letras, cifras, guiones, guiones bajos, puntos o virgulillas, sin extensión de imagen al final.',
  slug_taken: 'Este slug ya está en uso. Elige otro.',
  invalid_slug: 'Usa de 1 a 80 letras, cifras, guiones, guiones bajos, puntos o virgulillas.',
  name_taken: 'Este nombre ya está en uso. Elige otro.',
  empty_part: 'Escribe algo antes, entre y después de las barras, por ejemplo print/2027.',
  turned_text: 'Quita los caracteres que invierten la dirección de escritura.',
  loop: 'Esta URL lleva de vuelta aquí. Usa el destino final.',
  invalid_url: 'Introduce una URL completa y sin credenciales, por ejemplo https://example.com.',
  invalid_date: 'Introduce una fecha válida; el final no puede ser anterior al comienzo.',
  locked: 'Este enlace está bloqueado. Desbloquéalo primero.',
  changed: 'Alguien lo ha cambiado entretanto. Revísalo y guarda de nuevo.',
  rules_too_large: 'Estas reglas son demasiado grandes. Usa menos condiciones y valores, o URL más cortas.',
  invalid_percentage: 'Los porcentajes suman más de 100.',
  unknown_country: 'Elige un país de la lista.',
  unknown_device: 'Elige un dispositivo de la lista.',
  unknown_language: 'Elige un idioma de la lista.',
  expires_in_past: 'Elige un momento futuro.',
  expiry_past: 'Elige hoy o una fecha posterior.',
  in_the_past: 'Ese momento ya ha pasado. Elige uno futuro.',
  test_over: 'La prueba A/B de esta fila ha terminado: el enlace lleva adonde acabó la prueba.',
  password_missing:
    'Este enlace tenía una contraseña, que ningún archivo contiene. Queda archivado hasta que pongas una.',
  password_needed:
    'El destino tenía una contraseña y el enlace existente no tiene ninguna. Pon una allí primero.',
  archive_passed: 'La fecha para archivar este enlace ya ha pasado: se archiva de inmediato.',
  days_passed:
    'La fecha para archivar o eliminar este enlace ya ha pasado. El enlace existente sigue en uso.',
  invalid_settings: 'Corrige «{field}» u omite los ajustes de esta fila.',
  invalid_operator: '«{field}» no encaja con esta condición. Corrígelo.',
  invalid_value: '«{field}» tiene un valor que aquí no es posible. Corrígelo.',
  unknown_utm: 'Esta plantilla UTM no existe.',
  delete_passed:
    'La fecha para eliminar este enlace ya ha pasado. En su lugar se archiva, para que no se pierda nada.',
  unknown_variant: 'Elige una de las variantes como ganadora, o ninguna.',
  invalid_range: 'Elige un intervalo de 20 años como máximo que no termine antes de empezar.',
  already_undone: 'Este cambio ya se ha deshecho.',
  changed_since:
    'Se ha vuelto a cambiar desde entonces. Deshaz antes el cambio más reciente o edita el enlace.',
  nothing_to_undo: 'Ya no se puede devolver nada de lo movido.',
  still_running: 'Todavía está en curso. Espera a que termine o cancélalo primero.',
  same_account: 'Estos elementos ya están en esta cuenta. Elige otra.',
  unknown_link: 'Este enlace no es tuyo o ya no existe.',
  unknown_domain: 'Este dominio no es tuyo o ya no existe.',
  unknown_campaign: 'Esta campaña no es tuya o ya no existe.',
  unknown_channel: 'Este canal no es tuyo o ya no existe.',
  unknown_pixel: 'Este píxel no es tuyo o ya no existe.',
  unknown_file: 'Este archivo no es tuyo o ya no existe.',
  unknown_bio: 'Esta página bio no es tuya o ya no existe.',
  unknown_qr: 'Este código QR no es tuyo o ya no existe.',
  unknown_type: 'No se ha encontrado la página intermedia o la superposición.',

  unreachable_url:
    'No se ha podido obtener esta URL. Usa una URL http o https pública que responda en pocos segundos.',
  file_too_large: 'El archivo de esta URL es demasiado grande.',
  low_contrast: 'Los colores contrastan demasiado poco. Elige otros.',
  logo_too_large: 'El logotipo tapa demasiado el código. Hazlo más pequeño.',
  inverted_colors: 'El código es más claro que su fondo y muchos lectores no lo leen.',
  unreadable_style:
    'Puede que los lectores no lean esta combinación. Prueba otras formas, más contraste o un logotipo más pequeño.',
  content_too_long:
    'Este contenido es demasiado largo para el código QR. Acórtalo o elige la corrección automática.',

  domain_taken: 'Este dominio ya se ha añadido. Cada uno se puede usar una sola vez.',
  invalid_domain:
    'Introduce un nombre de host completo, por ejemplo go.example.com, que no sea el de esta instancia.',
  dns_mismatch: 'El dominio aún no apunta a este servidor. Revisa sus registros DNS.',
  address_is_domain: 'Este host es un dominio de esta instancia. Elimina antes ese dominio o elige otra URL.',
  addresses_required:
    'Los certificados necesitan las direcciones públicas de este servidor. Introdúcelas primero.',
  setting_fixed: 'Este ajuste se define al iniciar el servidor. Cámbialo allí y reinicia.',
  webhook_off: 'Activa antes el webhook.',
  webhook_locked:
    'El secreto de este webhook no se puede descifrar en este servidor. Define otro y actualízalo donde se verifican las firmas.',

  backup_running: 'Hay una copia o una restauración en curso. Espera a que termine o cancélala.',
  restart_needed: 'Hay una copia restaurada a la espera de que se reinicie el servidor.',
  not_a_backup: 'Este archivo no es una copia de seguridad de Waypost.',
  backup_damaged: 'Esta copia de seguridad está dañada. Usa otra.',
  database_damaged: 'La base de datos está dañada. Restaura una copia de seguridad anterior.',
  backup_newer: 'Esta copia se creó con un Waypost más reciente. Actualiza antes este programa.',
  passphrase_required: 'Introduce la frase de contraseña de la copia o restaura sin secretos.',
  passphrase_wrong: 'La frase de contraseña de la copia no es correcta.',
  keys_missing:
    'Esta copia se creó en otra máquina sin frase de contraseña, así que no tiene secretos. Al restaurarla se desactiva la verificación en dos pasos de todos.',
  vault_key_differs:
    'La copia necesita otra clave que la de este servidor. Inícialo con la WAYPOST_VAULT_KEY de la copia o restaura sin secretos.',
};
