import type { LetterTexts } from '../letter-texts.ts';

export const spanish: LetterTexts = {
  language: 'es',
  direction: 'ltr',
  sentBy: 'Enviado por Waypost en {host}.',
  switchOff: 'Puede desactivar estos correos en «Ajustes», «Preferencias».',
  test: {
    subject: 'Sus ajustes de correo funcionan',
    text: ['Este es el mensaje de prueba que se envió a sí mismo. Waypost ya puede enviar correo.'],
  },
  invitation: {
    subject: 'Invitación a {host}',
    text: ['{by} le ha invitado a crear una cuenta en {host}.'],
    action: 'Crear su cuenta',
    note: 'La invitación sirve una vez, hasta el {until}. Si no sabe de qué se trata, ignórela.',
  },
  teamInvitation: {
    subject: 'Únase a «{team}» en {host}',
    text: ['{by} le ha invitado al equipo «{team}» en {host}.'],
    action: 'Unirse al equipo',
    note: 'La invitación caduca el {until}. Si no sabe de qué se trata, ignórela.',
  },
  passwordReset: {
    subject: 'Restablecer su contraseña',
    text: ['Alguien, esperamos que usted, ha pedido una contraseña nueva para {username} en {host}.'],
    action: 'Elegir una contraseña nueva',
    note: 'El enlace funciona una vez, durante 30 minutos. Si no lo ha pedido, ignore este mensaje: su contraseña no cambia.',
  },
  passwordChanged: {
    subject: 'Su contraseña se ha restablecido',
    text: [
      'La contraseña de {username} en {host} se restableció por correo. Todas las sesiones y claves de API han terminado.',
      'Si no ha sido usted, proteja primero su correo y después restablezca de nuevo la contraseña.',
    ],
  },
  newSignIn: {
    subject: 'Nuevo inicio de sesión en {host}',
    text: [
      'Alguien ha iniciado sesión como {username} desde un dispositivo o una red nuevos:',
      '{device}, {place}, {time}',
      'Si ha sido usted, no tiene que hacer nada. Si no, cambie su contraseña: eso cierra las demás sesiones.',
    ],
    action: 'Revisar sus sesiones',
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
    action: 'Abrir sus enlaces',
  },
};
