import type { messages as source } from '../../visits/overview/messages.ts';

export const overview: (typeof source)['en'] = {
  overview: {
    scope: { campaign: 'Campaña', channel: 'Canal', domain: 'Dominio' },
    title: 'Resumen',
    newLink: 'Nuevo enlace',
    links: 'Enlaces',
    active: 'Activos: {count}',
    top: { title: 'Más clics por', campaigns: 'Campañas', channels: 'Canales', domains: 'Dominios' },
    topLinks: 'Enlaces más visitados',
    allLinks: 'Todos los enlaces',
    noTop: 'Sin clics en este periodo',
    instance: {
      disk: {
        low: 'El disco del servidor está casi lleno. Los enlaces cortos siguen funcionando, pero las visitas ya no se cuentan. Libera espacio.',
        full: 'El disco del servidor está lleno. Los enlaces cortos siguen funcionando, pero no se puede guardar nada nuevo. Elimina archivos o enlaces, o libera espacio.',
      },
      damage:
        'La base de datos del servidor está dañada. No cambies nada, detén el servidor y restaura una copia de seguridad. No volverá a iniciarse con el archivo dañado.',
      secrets: {
        other:
          'Algunos secretos no se pueden abrir porque el archivo vault.key de la carpeta de datos es de otro equipo: {what}. Vuelve a poner el vault.key correcto y reinicia el servidor, o introdúcelos de nuevo.',
        missing:
          'Algunos secretos no se pueden abrir porque falta el archivo vault.key en la carpeta de datos: {what}. Tampoco se pueden guardar nuevos. Vuelve a poner vault.key y reinicia el servidor.',
      },
      kinds: {
        'second-factor': 'la verificación en dos pasos',
        'mailer-key': 'las claves de API del correo',
        'webhook-secret': 'los secretos de webhooks',
        'backup-passphrase': 'la frase de contraseña de las copias de seguridad',
        'single-sign-on-secret': 'el secreto del inicio de sesión único',
        'mail-password': 'la contraseña del servidor de correo',
        'fleet-secret': 'las claves de la flota',
      },
      lost: 'Una visita desde el inicio del servidor no se ha contado porque el disco estaba lleno. Aun así, llegó a su destino. | {count} visitas desde el inicio del servidor no se han contado porque el disco estaba lleno. Aun así, llegaron a su destino.',
      clock:
        'El reloj del servidor dio un gran salto hacia delante el {since}. No se eliminará nada por antigüedad hasta que el reloj haya funcionado con normalidad durante un día. Comprueba la fecha del servidor.',
    },
    empty: {
      title: 'Pega una URL y crea tu primer enlace corto',
      description:
        'Pega aquí cualquier URL o importa los enlaces que ya tienes en otro sitio. Los clics aparecen en esta página al momento.',
      creating: 'Pega aquí cualquier URL. Los clics aparecen en esta página al momento.',
      none: 'Aún no hay enlaces',
      seeing: 'Los enlaces y sus clics aparecen en esta página en cuanto los hay.',
      import: 'Importar enlaces',
    },
    hints: {
      paste: 'acortar la URL del portapapeles',
      create: 'nuevo enlace',
      palette: 'búsqueda y comandos',
      shortcuts: 'todos los atajos',
    },
    first: {
      label: 'URL que acortar',
      placeholder: 'https://example.com/una-direccion-muy-larga',
      shorten: 'Acortar',
      invalid: 'Introduce una URL, por ejemplo https://example.com.',
    },
  },
};
