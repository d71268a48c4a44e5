import type { messages as source } from '../../identity/passkeys/messages.ts';

export const passkeys: (typeof source)['en'] = {
  passkeys: {
    title: 'Chaves de acesso',
    description:
      'Iniciar sessão com impressão digital, rosto, PIN ou uma chave de segurança em vez de palavra-passe.',
    none: 'Ainda sem chaves de acesso. Não podem ser adivinhadas nem roubadas por phishing, e dispensam códigos.',
    add: 'Adicionar uma chave de acesso',
    added: 'Chave de acesso adicionada',
    cancelled:
      'Nenhuma chave de acesso foi adicionada. O navegador indicou que o pedido foi cancelado ou expirou.',
    exists: 'Este dispositivo já tem uma chave de acesso para a sua conta.',
    host: 'para {host}',
    synced: 'Sincronizada',
    syncedHelp: 'O seu gestor de palavras-passe guarda-a em vários dispositivos.',
    used: 'Último uso',
    unused: 'Nunca usada',
    rename: 'Mudar o nome de {name}',
    name: 'Nome',
    save: 'Guardar',
    renamed: 'Nome da chave de acesso alterado',
    remove: 'Remover {name}',
    deleted: 'Chave de acesso removida',
    confirm: {
      title: 'Remover “{name}”?',
      description:
        'Deixa de poder iniciar sessão aqui com ela. Elimine-a também do dispositivo ou do gestor de palavras-passe: esta página não o consegue fazer.',
      action: 'Remover',
    },
    passwordHelp: 'O navegador pergunta depois como guardar a chave de acesso.',
    continue: 'Continuar',
    cancel: 'Cancelar',
    obstacles: {
      desktop:
        'As chaves de acesso pertencem a um endereço web, por isso são adicionadas e usadas num navegador. Abra lá {address}.',
      insecure:
        'As chaves de acesso precisam de HTTPS. Abra esta instância por https:// para as adicionar ou usar.',
      address:
        'As chaves de acesso não funcionam num simples endereço IP. Abra esta instância pelo nome de anfitrião.',
      browser: 'Este navegador não suporta chaves de acesso.',
    },
    signIn: 'Iniciar sessão com chave de acesso',
    signInCancelled:
      'A sessão não foi iniciada: o pedido foi cancelado, expirou ou não há chave de acesso para este endereço.',
    or: 'ou',
  },
};
