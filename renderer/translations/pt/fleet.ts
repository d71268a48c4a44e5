import type { messages as source } from '../../network/fleet/messages.ts';

export const fleet: (typeof source)['en'] = {
  fleet: {
    title: 'Frota',
    description:
      'Outras máquinas respondem aos seus links curtos, mesmo enquanto esta dorme. Um servidor NATS mantém-nas atualizadas.',
    states: {
      off: 'Desligada',
      connecting: 'A ligar',
      connected: 'Ligada',
      unreachable: 'Inacessível',
      refused: 'Recusada',
    },
    reasons: {
      address: 'Introduza um endereço como nats://engine.example.com:4222, sem utilizador.',
      unreachable: 'O servidor NATS não responde em {detail}. Verifique o endereço e se está em execução.',
      no_engine: 'O que responde em {detail} não é um servidor NATS. Verifique o endereço e a porta.',
      ended: 'A ligação ao servidor NATS terminou. Será feita nova tentativa.',
      credentials: 'O servidor NATS não aceita estas credenciais. Verifique-as.',
      rights:
        'Faltam a este utilizador do servidor NATS permissões de que uma frota precisa. Use a configuração que “waypost fleet config” mostra.',
      no_jetstream:
        'O JetStream está desativado no servidor NATS. Ative-o (nats-server -js) e tente de novo.',
      tls: 'A ligação TLS ao servidor NATS falhou: {detail}. Se o certificado for de uma autoridade própria, inicie este servidor com NODE_EXTRA_CA_CERTS a indicar o ficheiro dessa autoridade.',
      no_tls:
        'O servidor NATS em {detail} não usa TLS. Ative-o nesse servidor ou comece o endereço por nats://.',
      old_engine: 'O servidor NATS está na versão {detail}. Atualize para a 2.9 ou mais recente.',
      no_room:
        'O servidor NATS já não tem espaço para a frota. Dê mais espaço ao JetStream (max_file_store).',
      clicks_full:
        'O servidor NATS já não tem espaço para cliques. Aguardam nos seus nós até este servidor receber os que já estão lá.',
      taken:
        'Outro servidor grava esta frota: outra instância, uma cópia desta pasta de dados ou uma restaurada noutro lugar. Pare-o ou assuma o controlo da frota.',
      locked:
        'Não é possível abrir os segredos da frota: a chave da instância não é a mesma de quando foram introduzidos. Reponha essa chave, ou assuma a frota e introduza tudo de novo: começa uma frota nova, e os nós têm de aderir outra vez.',
      failed: 'A frota não conseguiu trabalhar com o servidor NATS: {detail}.',
    },
    noAddress: 'Nenhum URL público definido',
    noAddressHelp: 'Os nós respondem no seu URL público. Defina-o primeiro.',
    setAddress: 'Definir URL público',
    enabled: 'Usar uma frota',
    enabledHelp: 'Enviar links e páginas aos nós e receber os cliques deles.',
    url: 'Servidor NATS',
    urlHelp: 'Começa por nats://, tls://, ws:// ou wss://. Separe vários servidores por vírgulas.',
    signin: 'Iniciar sessão com',
    signins: {
      user: 'Utilizador e palavra-passe',
      token: 'Token',
      credentials: 'Ficheiro de credenciais',
      none: 'Nada',
    },
    user: 'Utilizador',
    password: 'Palavra-passe',
    token: 'Token',
    credentials: 'Credenciais',
    credentialsHelp: 'Cole o texto do ficheiro .creds.',
    secretHelp: 'Guardado com encriptação e nunca mostrado. Deixe vazio para manter o que está guardado.',
    edgeuser: 'Utilizador dos nós',
    edgeuserHelp:
      'Um segundo utilizador com menos permissões. O comando “waypost fleet config --passwords” cria ambos.',
    edgepassword: 'Palavra-passe dos nós',
    signingkey: 'Chave de assinatura',
    signingkeyHelp: 'Cole a linha de signing.key. Com ela, cada nó recebe as suas próprias permissões.',
    operatorkey: 'Chave de operador',
    operatorkeyHelp:
      'Opcional. Cole o texto de operator.key para que o próprio servidor NATS bloqueie os nós revogados.',
    test: 'Testar ligação',
    tested: 'O servidor NATS responde e tem o que uma frota precisa.',
    takeOver: {
      open: 'Assumir',
      title: 'Assumir esta frota?',
      description:
        'O outro servidor deixa de escrever nela. Faça-o apenas se esse servidor já não existir ou se tiver mudado para este.',
      action: 'Assumir',
      done: 'Frota assumida',
    },
    engine: {
      servers: 'Servidores',
      streams: 'Fluxos',
      bytes: 'Armazenado',
      position: 'Última alteração enviada',
      oldest: 'Alteração mais antiga mantida',
    },
    edges: {
      title: 'Nós',
      description:
        'As máquinas que respondem aos seus links curtos. Aponte os seus domínios para os endereços IP delas.',
      add: 'Adicionar nó',
      empty: 'Ainda não há nós',
      emptyHelp: 'Adicione um e execute na outra máquina o comando mostrado.',
      emptyOff: 'Ligue a frota para adicionar nós.',
      states: {
        waiting: 'Ainda não aderiu',
        current: 'Atualizado',
        behind: 'Atrasado',
        away: 'Ausente',
        revoked: 'Revogado',
      },
      reasons: {
        update: 'Este servidor tem uma versão mais recente. Atualize o nó; este continua com o que tem.',
        disk_full:
          'O disco dele não tem espaço para uma nova cópia dos links. Liberte espaço; este continua com o que tem.',
        clock_ahead:
          'O relógio dele está {detail} min adiantado em relação a este servidor. Acerte o que estiver errado.',
        clock_behind:
          'O relógio dele está {detail} min atrasado em relação a este servidor. Acerte o que estiver errado.',
        unreadable:
          'Foram ignoradas mensagens ilegíveis enviadas em nome do nó: {detail}. Se chegarem mais, outra pessoa pode estar a usar as credenciais dele: revogue o nó e adicione-o de novo.',
        no_room:
          'O servidor NATS já não tem espaço. Dê mais espaço ao JetStream (max_file_store); os cliques aguardam no nó.',
        clicks_full:
          'O servidor NATS já não tem espaço para cliques. Aguardam no nó até este servidor receber os que já estão lá.',
        failed: 'O servidor NATS não aceita os cliques deste nó. Aguardam no nó; o registo diz porquê.',
      },
      version: 'Versão',
      addresses: 'Endereços',
      since: 'Aderiu',
      rate: 'Pedidos por segundo',
      lag: 'Atraso',
      lagBy: '{count} alteração, {seconds} s | {count} alterações, {seconds} s',
      waiting: 'A aguardar envio',
      lost: 'Desde o arranque do nó, uma visita não foi contada porque o seu disco estava cheio. Mesmo assim, chegou ao destino. | Desde o arranque do nó, {count} visitas não foram contadas porque o seu disco estava cheio. Mesmo assim, chegaram aos destinos.',
      noLag: 'Nenhum',
      none: 'Sem dados',
      revoke: 'Revogar',
      cutoff: 'O servidor NATS ainda aceita este nó. Execute isto uma vez onde está operator.key:',
      revokeNamed: 'Revogar {name}',
    },
    form: {
      title: 'Adicionar nó',
      description: 'Uma máquina que responderá aos seus links curtos.',
      name: 'Nome',
      nameRequired: 'Introduza um nome.',
      region: 'Região',
      regionHelp: 'Só para si, por exemplo uma cidade.',
      submit: 'Adicionar nó',
    },
    made: {
      title: 'Execute este comando no nó',
      description: 'Só é mostrado agora e funciona uma vez, durante uma hora.',
      copy: 'Copiar comando',
      done: 'Concluído',
    },
    revoke: {
      title: 'Revogar {name}?',
      description:
        'Deixa de responder de imediato e nunca mais poderá aderir. Os cliques que enviou são mantidos.',
      action: 'Revogar',
      done: 'Nó revogado',
    },
  },
};
