import type { LetterTexts } from '../letter-texts.ts';

export const spanish: LetterTexts = {
  language: 'es',
  direction: 'ltr',
  sentBy: 'Enviado por Waypost en {host}.',
  switchOff: 'Puedes desactivar estos correos en «Ajustes», «Preferencias».',
  test: {
    subject: 'Tus ajustes de correo funcionan',
    text: ['Este es el mensaje de prueba que te has enviado. Waypost ya puede enviar correos.'],
  },
  invitation: {
    subject: 'Invitación a {host}',
    text: ['{by} te ha invitado a crear una cuenta en {host}.'],
    action: 'Crear tu cuenta',
    note: 'La invitación sirve una vez, hasta el {until}. Si no sabes de qué se trata, ignórala.',
  },
  teamInvitation: {
    subject: 'Únete a «{team}» en {host}',
    text: ['{by} te ha invitado al equipo «{team}» en {host}.'],
    action: 'Unirse al equipo',
    note: 'La invitación caduca el {until}. Si no sabes de qué se trata, ignórala.',
  },
  passwordReset: {
    subject: 'Restablece tu contraseña',
    text: ['Alguien, esperamos que tú, ha pedido una contraseña nueva para {username} en {host}.'],
    action: 'Elegir una contraseña nueva',
    note: 'El enlace funciona una vez, durante 30 minutos. Si no lo has pedido, ignora este mensaje: tu contraseña no cambia.',
  },
  passwordChanged: {
    subject: 'Tu contraseña se ha restablecido',
    text: [
      'La contraseña de {username} en {host} se restableció por correo. Todas las sesiones y claves de API han terminado.',
      'Si no has sido tú, protege primero tu correo y después restablece de nuevo la contraseña.',
    ],
  },
  addressChanged: {
    subject: 'Tu dirección de correo ha cambiado',
    text: [
      'La cuenta {username} en {host} tiene ahora otra dirección de correo, así que sus mensajes ya no llegan aquí.',
      'Si no has sido tú, inicia sesión, cambia tu contraseña y vuelve a poner tu dirección. Si no puedes iniciar sesión, pide ayuda a un administrador de {host}.',
    ],
    action: 'Revisar tu cuenta',
  },
  newSignIn: {
    subject: 'Nuevo inicio de sesión en {host}',
    text: [
      'Alguien ha iniciado sesión como {username} desde un dispositivo o una red nuevos:',
      '{device}, {place}, {time}',
      'Si has sido tú, no tienes que hacer nada. Si no, cambia tu contraseña: así se cierran las demás sesiones.',
    ],
    action: 'Revisar tus sesiones',
  },
  domainFailed: {
    subject: '{domain} ya no apunta aquí',
    text: ['Los registros DNS de {domain} ya no llevan a {host}, así que sus enlaces cortos no funcionan.'],
    action: 'Revisar el dominio',
  },
  certificateFailed: {
    subject: 'El certificado de {domain} no se puede renovar',
    text: [
      'Su certificado caduca el {until} y la renovación sigue fallando. Después, los navegadores advertirán a los visitantes de sus enlaces cortos.',
    ],
    action: 'Revisar el dominio',
  },
  brokenLinks: {
    subject: 'Algunos destinos no responden',
    text: ['Estos enlaces llevan a páginas que ya no responden:', '{links}'],
    action: 'Abrir tus enlaces',
  },
};
