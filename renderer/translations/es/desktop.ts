import type { messages as source } from '../../operations/desktop-settings/messages.ts';

export const desktop: (typeof source)['en'] = {
  desktop: {
    title: 'Esta app',
    description: 'Cómo se comporta Waypost en este ordenador, para todas las instancias.',
    openAtLogin: 'Abrir al iniciar sesión en este ordenador',
    openAtLoginHelp:
      'Waypost se inicia sin ventana para que tus enlaces cortos funcionen desde el principio.',
    openAtLoginNone: 'Solo disponible con Waypost instalado, no al ejecutarlo desde el código fuente.',
    openAtLoginApproval: 'Permítelo en Ajustes del Sistema, General, Ítems de inicio.',
    background: 'Seguir en marcha al cerrar la ventana',
    backgroundHelp:
      'Los enlaces cortos de este ordenador solo funcionan mientras Waypost está en marcha. Se queda en la bandeja.',
    notifications: 'Notificaciones del sistema',
    notificationsHelp:
      'Cuando un dominio deja de apuntar aquí, falla un inicio de sesión o se detiene el servidor.',
    shortcut: 'Acortar la URL del portapapeles desde cualquier app',
    shortcutHelp: 'Copia una URL en cualquier app y pulsa estas teclas para crear y copiar un enlace corto.',
    shortcutTaken: 'Otra app usa estas teclas. Elige otras.',
    shortcutNone: 'Sin teclas',
    shortcutRecord: 'Pulsa las teclas nuevas…',
    shortcutChange: 'Cambiar',
    shortcutClear: 'Quitar las teclas',
    updates: 'Buscar actualizaciones',
    updatesHelp:
      'Una vez al día, en la URL de actualizaciones de esta compilación. No se envía nada sobre ti.',
    updatesNone: 'Esta compilación no tiene URL de actualizaciones, así que nunca las busca.',
    update: 'Waypost {version} está disponible',
    updateGet: 'Obtener',
    updateLatest: 'Tienes la última versión: {version}.',
    updateFailed: 'La URL de actualizaciones no responde. Waypost volverá a buscar mañana.',
    offer: 'Un enlace pide acortar una URL',
  },
};
