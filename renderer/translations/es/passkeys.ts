import type { messages as source } from '../../identity/passkeys/messages.ts';

export const passkeys: (typeof source)['en'] = {
  passkeys: {
    title: 'Llaves de acceso',
    description:
      'Inicia sesión con tu huella, tu cara, un PIN o una llave de seguridad en lugar de una contraseña.',
    none: 'Aún no hay llaves de acceso. No se pueden adivinar ni robar con phishing, y no hace falta ningún código.',
    add: 'Añadir una llave de acceso',
    added: 'Llave de acceso añadida',
    cancelled:
      'No se ha añadido ninguna llave de acceso. El navegador indica que se canceló o que se agotó el tiempo.',
    exists: 'Este dispositivo ya tiene una llave de acceso para tu cuenta.',
    host: 'para {host}',
    synced: 'Sincronizada',
    syncedHelp: 'Tu gestor de contraseñas la guarda en varios dispositivos.',
    used: 'Último uso',
    unused: 'Nunca usada',
    rename: 'Cambiar el nombre de {name}',
    name: 'Nombre',
    save: 'Guardar',
    renamed: 'Nombre de la llave de acceso cambiado',
    remove: 'Quitar {name}',
    deleted: 'Llave de acceso quitada',
    confirm: {
      title: '¿Quitar «{name}»?',
      description:
        'Ya no podrás iniciar sesión aquí con ella. Elimínala también de tu dispositivo o de tu gestor de contraseñas: esta página no puede hacerlo.',
      action: 'Quitar',
    },
    passwordHelp: 'Después, el navegador pregunta cómo guardar la llave de acceso.',
    continue: 'Continuar',
    cancel: 'Cancelar',
    obstacles: {
      desktop:
        'Las llaves de acceso pertenecen a una dirección web, así que se añaden y se usan en un navegador. Abre {address} allí.',
      insecure:
        'Las llaves de acceso necesitan HTTPS. Abre esta instancia con https:// para añadirlas o usarlas.',
      address:
        'Las llaves de acceso no funcionan con una simple dirección IP. Abre esta instancia con su nombre de host.',
      browser: 'Este navegador no admite llaves de acceso.',
    },
    signIn: 'Iniciar sesión con una llave de acceso',
    signInCancelled:
      'No se ha iniciado la sesión: la solicitud se canceló, se agotó el tiempo o no hay ninguna llave de acceso para esta dirección.',
    or: 'o',
  },
};
