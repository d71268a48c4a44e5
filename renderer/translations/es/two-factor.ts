import type { messages as source } from '../../identity/two-factor/messages.ts';

export const twoFactor: (typeof source)['en'] = {
  twoFactor: {
    title: 'Verificación en dos pasos',
    description: 'Pide un código de tu teléfono al iniciar sesión.',
    on: 'Activada',
    off: 'Desactivada',
    isOff: 'Solo tu contraseña protege esta cuenta. Configurar una app de autenticación lleva un minuto.',
    isOn: 'Para iniciar sesión hace falta un código de tu app de autenticación. Si la pierdes, usa un código de recuperación.',
    setUp: 'Configurar',
    cancel: 'Cancelar',
    nowOff: 'La verificación en dos pasos está desactivada',
    setup: {
      scan: 'Escanea el código con tu app de autenticación',
      orType: 'O introduce este secreto:',
      picture: 'Código QR para una app de autenticación',
      copySecret: 'Copiar el secreto',
      code: 'Código',
      codeHelp: 'El código de seis dígitos de la app.',
      sixDigits: 'Introduce el código de seis dígitos de la app.',
      password: 'Contraseña actual',
      left: 'Quedan {time}',
      over: 'Este código ha caducado. Empieza de nuevo y escanea el nuevo.',
      again: 'Empezar de nuevo',
      enable: 'Activar',
    },
    codes: {
      title: 'Guarda estos códigos de recuperación',
      description:
        'Cada código te permite iniciar sesión una vez si pierdes tu app de autenticación. No podrás volver a verlos.',
      label: 'Códigos de recuperación',
      copy: 'Copiar',
      save: 'Descargar',
      kept: 'Listo, los he guardado',
      done: 'Listo',
      fileHead: 'Códigos de recuperación de {account} en {address}. Cada uno sirve una vez.',
    },
    disable: {
      open: 'Desactivar…',
      warning:
        'Después, solo tu contraseña protegerá esta cuenta y los códigos de recuperación dejarán de funcionar.',
      how: 'Confirma tu identidad',
      byCode: 'Con un código',
      byPassword: 'Con tu contraseña',
      code: 'Código',
      codeHelp: 'De tu app de autenticación, o un código de recuperación.',
      password: 'Contraseña actual',
      submit: 'Desactivar',
    },
    renew: {
      open: 'Nuevos códigos de recuperación…',
      warning: 'Los códigos anteriores dejan de funcionar de inmediato.',
      submit: 'Generar códigos nuevos',
    },
  },
};
