export const messages = {
  en: {
    fleet: {
      title: 'Fleet',
      description:
        'Let other machines serve your short links, even while this one is asleep. A NATS server keeps them in sync.',
      states: {
        off: 'Off',
        connecting: 'Connecting',
        connected: 'Connected',
        unreachable: 'Unreachable',
        refused: 'Refused',
      },
      reasons: {
        address: 'Enter an address such as nats://engine.example.com:4222, without a user in it.',
        unreachable:
          'The NATS server isn’t responding at {detail}. Check the address, and that it’s running.',
        no_engine: 'What answers at {detail} is not a NATS server. Check the address and the port.',
        ended: 'The connection to the NATS server ended. It is tried again.',
        credentials: 'The NATS server rejected these credentials. Check them.',
        rights:
          'This user of the NATS server lacks rights that a fleet needs. Use the configuration that “waypost fleet config” prints.',
        no_jetstream: 'JetStream is off on the NATS server. Turn it on (nats-server -js) and try again.',
        tls: 'The TLS connection to the NATS server failed: {detail}. If its certificate comes from your own authority, start this server with NODE_EXTRA_CA_CERTS set to that authority’s file.',
        no_tls:
          'The NATS server at {detail} doesn’t use TLS. Turn it on there, or start the address with nats://.',
        old_engine: 'The NATS server has version {detail}. Update it to 2.9 or newer.',
        no_room:
          'The NATS server has no room left for the fleet. Give JetStream more space (max_file_store).',
        clicks_full:
          'The NATS server has no room left for clicks. They wait on their edges until this server has taken in those that are there.',
        taken:
          'Another server writes this fleet: another instance, a copy of this data folder, or one that was restored elsewhere. Stop it, or take the fleet over.',
        locked:
          'The fleet’s secrets can’t be opened: the instance’s key has changed since they were entered. Put that key back, or take the fleet over and enter everything again: a new fleet begins, and edges have to join again.',
        failed: 'The fleet could not work with the NATS server: {detail}.',
      },
      noAddress: 'No public URL is set',
      noAddressHelp: 'Edges answer under your public URL. Set it first.',
      setAddress: 'Set public URL',
      enabled: 'Use a fleet',
      enabledHelp: 'Send links and pages to the edges, and take in their clicks.',
      url: 'NATS server',
      urlHelp: 'Starts with nats://, tls://, ws:// or wss://. Separate several servers by commas.',
      signin: 'Sign in with',
      signins: {
        user: 'User and password',
        token: 'Token',
        credentials: 'Credentials file',
        none: 'Nothing',
      },
      user: 'User',
      password: 'Password',
      token: 'Token',
      credentials: 'Credentials',
      credentialsHelp: 'Paste the text of the .creds file.',
      secretHelp: 'Stored encrypted and never shown. Leave it empty to keep the saved one.',
      edgeuser: 'User for edges',
      edgeuserHelp:
        'A second user with fewer rights. The command “waypost fleet config --passwords” creates both.',
      edgepassword: 'Password for edges',
      signingkey: 'Signing key',
      signingkeyHelp: 'Paste the line in signing.key. Each edge gets its own rights with it.',
      operatorkey: 'Operator key',
      operatorkeyHelp:
        'Optional. Paste the text of operator.key, so that the NATS server cuts off revoked edges itself.',
      test: 'Test connection',
      tested: 'The NATS server responds and has everything a fleet needs.',
      takeOver: {
        open: 'Take over',
        title: 'Take over this fleet?',
        description:
          'The other server stops writing it. Do this only if that server is gone, or if you moved to this one.',
        action: 'Take over',
        done: 'Fleet taken over',
      },
      engine: {
        servers: 'Servers',
        streams: 'Streams',
        bytes: 'Stored',
        position: 'Last change sent',
        oldest: 'Oldest change kept',
      },
      edges: {
        title: 'Edges',
        description: 'The machines that answer your short links. Point your domains to their IP addresses.',
        add: 'Add edge',
        empty: 'No edges yet',
        emptyHelp: 'Add one, then run the command you get on the other machine.',
        emptyOff: 'Turn on the fleet to add edges.',
        states: {
          waiting: 'Not joined yet',
          current: 'Up to date',
          behind: 'Behind',
          away: 'Away',
          revoked: 'Revoked',
        },
        reasons: {
          update: 'This server runs a newer version. Update the edge; until then it uses what it has.',
          disk_full:
            'Its disk has no room for a new copy of the links. Free some space; until then the edge uses the copy that it has.',
          clock_ahead: 'Its clock is {detail} min ahead of this server’s. Set the one that is wrong.',
          clock_behind: 'Its clock is {detail} min behind this server’s. Set the one that is wrong.',
          unreadable:
            'Unreadable messages from it were ignored: {detail}. If more arrive, someone else may be using its credentials: revoke the edge and add it again.',
          no_room:
            'The NATS server has no room left. Give JetStream more space (max_file_store); clicks wait on the edge.',
          clicks_full:
            'The NATS server has no room left for clicks. They wait on the edge until this server has taken in those that are there.',
          failed: 'The NATS server rejects its clicks. They wait on the edge; its log says why.',
        },
        version: 'Version',
        addresses: 'Addresses',
        since: 'Joined',
        rate: 'Requests per second',
        lag: 'Behind',
        lagBy: '{count} change, {seconds} s | {count} changes, {seconds} s',
        waiting: 'Waiting to be sent',
        lost: 'One visit since the edge started wasn’t counted because its disk was full. It still reached its destination. | {count} visits since the edge started weren’t counted because its disk was full. They still reached their destinations.',
        noLag: 'None',
        none: 'None',
        revoke: 'Revoke',
        cutoff: 'The NATS server still lets this edge in. Run this once where operator.key is:',
        revokeNamed: 'Revoke {name}',
      },
      form: {
        title: 'Add edge',
        description: 'A machine that serves your short links.',
        name: 'Name',
        nameRequired: 'Enter a name.',
        region: 'Region',
        regionHelp: 'For you only, such as a city.',
        submit: 'Add edge',
      },
      made: {
        title: 'Run this command on the edge',
        description: 'You won’t be able to see it again. It works once, within an hour.',
        copy: 'Copy command',
        done: 'Done',
      },
      revoke: {
        title: 'Revoke {name}?',
        description: 'It stops answering immediately and can never join again. Clicks it has sent are kept.',
        action: 'Revoke',
        done: 'Edge revoked',
      },
    },
  },
};
