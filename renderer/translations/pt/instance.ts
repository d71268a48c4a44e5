import type { messages as source } from '../../operations/instance/messages.ts';
import { privacy } from './privacy.ts';

const { noReferrer, noBrowser, noPlace, noSignedIn, keep } = privacy.privacy;

export const instance: (typeof source)['en'] = {
  instance: {
    fixed: 'Fixo',
    fixedWhy: 'Definido na linha de comandos ou no ambiente.',
    forever: 'Para sempre',
    places: {
      title: 'Locais dos visitantes',
      description: 'A base de dados que indica onde estão os visitantes.',
      source: 'Fonte',
      sources: {
        bundled: 'Incluída no programa',
        started: 'Indicada ao iniciar o servidor',
        uploaded: 'Carregada',
      },
      type: 'Nome',
      built: 'Publicada',
      knows: 'Conhece',
      levels: { countries: 'Países', regions: 'Países e regiões', cities: 'Países, regiões e cidades' },
      count: 'Locais',
      size: 'Tamanho',
      upload: 'Carregar base de dados…',
      remove: 'Remover a base carregada',
      uploaded: 'Base de dados de locais atualizada',
      removed: 'Base de dados carregada removida',
      none: 'Não há nenhuma base de dados instalada, por isso o país dos visitantes é desconhecido.',
      hint: 'Aceita ficheiros MMDB de até 256 MB, por exemplo da MaxMind ou da DB-IP. O ficheiro mantém-se após reinícios e não faz parte das cópias de segurança. Os nós de uma frota têm a sua própria.',
    },
    groups: {
      network: { title: 'Rede', description: 'Endereços, DNS e proxies de confiança.' },
      ssl: {
        title: 'Domínios e certificados',
        description: 'Como os domínios de marca são verificados e protegidos.',
      },
      people: { title: 'Pessoas e limites', description: 'Registos e limites de pedidos.' },
      privacy: { title: 'Privacidade', description: 'O que é guardado sobre os visitantes.' },
    },
    fields: {
      baseUrl: {
        label: 'URL público',
        help: 'A base dos links curtos. Deixe vazio para usar o endereço em que o servidor escuta.',
      },
      sharing: {
        label: 'Partilhar nesta rede',
        help: 'Outros dispositivos na rede podem usar a instância.',
      },
      publicAddresses: {
        label: 'Endereços públicos',
        help: 'Para onde têm de apontar os domínios de marca: endereços IP ou um nome de anfitrião, um por linha.',
      },
      dnsServers: {
        label: 'Servidores DNS',
        help: 'Usados para verificar domínios, um por linha. Deixe vazio para usar os do sistema.',
      },
      trustedProxies: {
        label: 'Proxies de confiança',
        help: 'O seu cabeçalho X-Forwarded-For é aceite. Um endereço ou intervalo por linha.',
      },
      allowedPrivateRanges: {
        label: 'Redes privadas permitidas',
        help: 'Redes privadas onde o Waypost pode obter imagens e títulos de páginas.',
      },
      ssl: {
        mode: { label: 'Certificados', help: 'Quem fornece HTTPS aos domínios de marca.' },
        acmeEmail: {
          label: 'Email para a autoridade',
          help: 'Pode avisar antes de um certificado expirar.',
        },
        acmeDirectory: { label: 'Diretório ACME', help: 'URL da autoridade de certificação.' },
      },
      domainSyncMinutes: {
        label: 'Intervalo de verificação (minutos)',
        help: 'Com que frequência são verificados os novos domínios.',
      },
      registration: { label: 'Novas contas', help: 'Quem as pode criar.' },
      defaultPlan: { label: 'Plano para novas contas', help: 'Salvo indicação diferente no convite.' },
      ratelimit: { label: 'Pedidos por minuto', help: 'Para cada chave de API sem limite próprio.' },
      maxUploadMb: { label: 'Maior ficheiro (MB)', help: 'Ficheiros maiores são recusados.' },
      privacy: {
        noReferrer,
        noBrowser,
        noPlace,
        noSignedIn,
        keep: { label: keep.label, help: keep.help },
        storeAddresses: {
          label: 'Guardar endereços IP dos visitantes',
          help: 'Mostrados em cada visita. Ao desativar, os endereços guardados são eliminados dentro de uma hora.',
        },
        doNotTrack: {
          label: 'Respeitar “do not track”',
          help: 'As visitas que pedem para não ser seguidas são respondidas, mas não registadas.',
        },
        uncountedAddresses: {
          label: 'Não contar',
          help: 'Visitas destes endereços IP ou intervalos, um por linha.',
        },
      },
      retentionDays: {
        label: 'Manter cliques individuais (dias)',
        help: 'Os totais mantêm-se. Deixe vazio para manter para sempre.',
      },
      backup: {
        enabled: {
          label: 'Cópia de segurança diária',
          help: 'Feita automaticamente enquanto o servidor está ligado.',
        },
        hour: { label: 'Às', help: 'Todos os dias, no fuso horário do servidor.' },
        keepDaily: { label: 'Manter cópias diárias (dias)', help: 'A mais recente de cada dia.' },
        keepWeekly: {
          label: 'Manter cópias semanais (semanas)',
          help: 'A mais recente de cada semana anterior.',
        },
        folder: {
          label: 'Pasta',
          help: 'No servidor. Deixe vazio para guardar as cópias junto da base de dados.',
        },
      },
    },
    options: {
      keep: {
        clicks: 'Cliques com os seus detalhes',
        counts: 'Só a contagem',
        nothing: 'Absolutamente nada',
      },
      ssl: {
        off: 'Nenhum: HTTP sem encriptação',
        external: 'Geridos por um proxy inverso',
        local: 'Autoridade de certificação integrada (rede local)',
        acme: 'Let’s Encrypt ou outra autoridade ACME',
      },
      registration: {
        closed: 'Só administradores',
        invitation: 'Só por convite',
        open: 'Todos',
      },
    },
  },
};
