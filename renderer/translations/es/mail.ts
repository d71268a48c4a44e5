import type { messages as source } from '../../operations/mail/messages.ts';

export const mail: (typeof source)['en'] = {
  mail: {
    title: 'Correo',
    description:
      'Envía por correo invitaciones, restablecimientos de contraseña y avisos. Todo lo demás funciona sin él.',
    noAddress: 'No hay URL pública',
    noAddressHelp:
      'Los enlaces de los correos solo funcionarían en este equipo, así que no se envían invitaciones ni enlaces de contraseña. Define antes la URL pública.',
    setAddress: 'Definir la URL pública',
    off: 'Aún no se envía ningún correo. Introduce un servidor de correo para empezar.',
    host: 'Servidor de correo',
    hostHelp: 'Déjalo vacío para no enviar correos.',
    port: 'Puerto',
    security: 'Seguridad',
    securities: {
      tls: 'TLS (normalmente, puerto 465)',
      starttls: 'STARTTLS, obligatorio (normalmente, puerto 587)',
      none: 'Ninguna',
    },
    plain:
      'Cualquiera en tu red puede leer los correos, incluidos los enlaces para cambiar la contraseña. Solo se pueden usar servidores de tu propia red.',
    user: 'Usuario',
    userHelp: 'Déjalo vacío si el servidor no pide ninguno.',
    password: 'Contraseña',
    passwordSet: 'Guardada. Introduce otra para reemplazarla.',
    passwordHelp: 'Se guarda cifrada, solo se envía a este servidor y nunca se muestra.',
    from: 'Remitente',
    fromHelp: 'La dirección desde la que se envían los correos.',
    test: 'Enviar un mensaje de prueba',
    tested: 'El servidor de correo ha aceptado el mensaje de prueba. Revisa tu bandeja de entrada.',
    testSaved: 'Guarda los cambios antes de probar.',
    waiting: '{count} correo pendiente de envío. | {count} correos pendientes de envío.',
    failed: 'El último intento falló el {when}',
  },
};
