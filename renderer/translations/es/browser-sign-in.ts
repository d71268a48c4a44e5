import type { messages as source } from '../../identity/browser-sign-in/messages.ts';

export const browserSignIn: (typeof source)['en'] = {
  browserSignIn: {
    start: 'Iniciar sesión con el navegador',
    waiting: 'Continúa en el navegador',
    waitingHelp: 'Inicia sesión allí y permite el acceso. Waypost continuará por sí solo.',
    again: 'Abrir de nuevo el navegador',
    cancel: 'Cancelar',
    denied: 'El acceso se ha denegado en el navegador. Inténtalo de nuevo o inicia sesión de otra forma.',
    connect: {
      page: 'Permitir acceso',
      title: '{device} pide acceso',
      lead: 'a tu cuenta {account} en {name}',
      gets: 'Si lo permites, esa app podrá',
      powers: {
        all: 'ver, crear, editar y eliminar todo lo que puedes tú',
        settings: 'cambiar tu cuenta y crear claves de API',
        until: 'mantener la sesión hasta que la cierres en Ajustes, Seguridad',
      },
      warning:
        'Permítelo solo si acabas de elegir «Iniciar sesión con el navegador» en Waypost en este ordenador.',
      allow: 'Permitir',
      deny: 'Denegar',
      other: 'Usar otra cuenta',
      incomplete: 'Este enlace no funciona',
      incompleteHelp: 'Falta una parte. Elige de nuevo «Iniciar sesión con el navegador» en la app.',
      home: 'Ir a Waypost',
    },
  },
};
