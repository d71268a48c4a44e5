import type { messages as source } from '../../operations/instance/messages.ts';
import { privacy } from './privacy.ts';

const { noReferrer, noBrowser, noPlace, noSignedIn, keep } = privacy.privacy;

export const instance: (typeof source)['en'] = {
  instance: {
    fixed: 'Fijo',
    fixedWhy: 'Definido en la línea de comandos o en el entorno.',
    forever: 'Para siempre',
    places: {
      title: 'Lugares de los visitantes',
      description: 'La base de datos que indica dónde están los visitantes.',
      source: 'Origen',
      sources: {
        bundled: 'Incluida en el programa',
        started: 'Indicada al iniciar el servidor',
        uploaded: 'Subida',
      },
      type: 'Nombre',
      built: 'Publicada',
      knows: 'Conoce',
      levels: { countries: 'Países', regions: 'Países y regiones', cities: 'Países, regiones y ciudades' },
      count: 'Lugares',
      size: 'Tamaño',
      upload: 'Subir base de datos…',
      remove: 'Quitar la base subida',
      uploaded: 'Base de datos de lugares actualizada',
      removed: 'Base de datos subida quitada',
      none: 'No hay ninguna base de datos instalada, así que no se conoce el país de los visitantes.',
      hint: 'Admite archivos MMDB de hasta 256 MB, por ejemplo de MaxMind o DB-IP. El archivo se conserva al reiniciar y no forma parte de las copias de seguridad. Los nodos de una flota tienen la suya.',
    },
    groups: {
      network: { title: 'Red', description: 'Direcciones, DNS y proxies de confianza.' },
      ssl: {
        title: 'Dominios y certificados',
        description: 'Cómo se comprueban y protegen los dominios propios.',
      },
      people: { title: 'Personas y límites', description: 'Registros y límites de solicitudes.' },
      privacy: { title: 'Privacidad', description: 'Qué se guarda de los visitantes.' },
    },
    fields: {
      baseUrl: {
        label: 'URL pública',
        help: 'La base de los enlaces cortos. Déjalo vacío para usar la dirección en la que escucha el servidor.',
      },
      sharing: {
        label: 'Compartir en esta red',
        help: 'Otros dispositivos de la red pueden usar la instancia.',
      },
      publicAddresses: {
        label: 'Direcciones públicas',
        help: 'Adónde deben apuntar los dominios propios: direcciones IP o un nombre de host, uno por línea.',
      },
      dnsServers: {
        label: 'Servidores DNS',
        help: 'Se usan para comprobar dominios, uno por línea. Déjalo vacío para usar los del sistema.',
      },
      trustedProxies: {
        label: 'Proxies de confianza',
        help: 'Se confía en su cabecera X-Forwarded-For. Una dirección o un rango por línea.',
      },
      allowedPrivateRanges: {
        label: 'Redes privadas permitidas',
        help: 'Redes privadas de las que Waypost puede obtener imágenes y títulos de páginas.',
      },
      ssl: {
        mode: { label: 'Certificados', help: 'Quién proporciona HTTPS para los dominios propios.' },
        acmeEmail: {
          label: 'Correo para la autoridad',
          help: 'Puede avisarte antes de que caduque un certificado.',
        },
        acmeDirectory: { label: 'Directorio ACME', help: 'URL de la autoridad de certificación.' },
      },
      domainSyncMinutes: {
        label: 'Intervalo de comprobación (minutos)',
        help: 'Cada cuánto se comprueban los dominios nuevos.',
      },
      registration: { label: 'Cuentas nuevas', help: 'Quién puede crear una.' },
      defaultPlan: {
        label: 'Plan para cuentas nuevas',
        help: 'Salvo que la invitación indique otra cosa.',
      },
      ratelimit: {
        label: 'Solicitudes por minuto',
        help: 'Para cada clave de API sin límite propio.',
      },
      maxUploadMb: {
        label: 'Archivo más grande (MB)',
        help: 'Se rechazan las subidas mayores.',
      },
      privacy: {
        noReferrer,
        noBrowser,
        noPlace,
        noSignedIn,
        keep: { label: keep.label, help: keep.help },
        storeAddresses: {
          label: 'Guardar las direcciones IP de los visitantes',
          help: 'Se muestran con cada visita. Al desactivarlo, las guardadas se eliminan en menos de una hora.',
        },
        doNotTrack: {
          label: 'Respetar «no rastrear»',
          help: 'Las visitas que piden no ser rastreadas se atienden, pero no se registran.',
        },
        uncountedAddresses: {
          label: 'No contar',
          help: 'Visitas desde estas direcciones IP o rangos, uno por línea.',
        },
      },
      retentionDays: {
        label: 'Conservar los clics individuales (días)',
        help: 'Los totales se conservan. Déjalo vacío para conservarlos siempre.',
      },
      backup: {
        enabled: {
          label: 'Copia de seguridad diaria',
          help: 'Se hace automáticamente mientras el servidor está en marcha.',
        },
        hour: { label: 'A las', help: 'Cada día, en la zona horaria del servidor.' },
        keepDaily: { label: 'Conservar copias diarias (días)', help: 'La última de cada día.' },
        keepWeekly: {
          label: 'Conservar copias semanales (semanas)',
          help: 'La última de cada semana anterior.',
        },
        folder: {
          label: 'Carpeta',
          help: 'En el servidor. Déjalo vacío para guardar las copias junto a la base de datos.',
        },
      },
    },
    options: {
      keep: {
        clicks: 'Clics con sus detalles',
        counts: 'Solo el número',
        nothing: 'Nada en absoluto',
      },
      ssl: {
        off: 'Ninguno: HTTP sin cifrar',
        external: 'Gestionados por un proxy inverso',
        local: 'Autoridad de certificación integrada (red local)',
        acme: 'Let’s Encrypt u otra autoridad ACME',
      },
      registration: {
        closed: 'Solo administradores',
        invitation: 'Solo con invitación',
        open: 'Todo el mundo',
      },
    },
  },
};
