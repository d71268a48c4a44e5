import type { messages as source } from '../../content/moving/messages.ts';

export const moving: (typeof source)['en'] = {
  moving: {
    action: 'Mover para…',
    title: 'Mover {n} item para outra conta | Mover {n} itens para outra conta',
    description: 'Os links curtos, as estatísticas e o histórico vão junto. Pode ser anulado.',
    to: 'Conta',
    personal: 'A sua conta pessoal',
    related: 'O que fazer ao que usam?',
    choices: {
      move: { name: 'Mover também', help: 'O que fica aqui perde-o.' },
      copy: { name: 'Copiar', help: 'Cada conta fica com o seu.' },
      leave: { name: 'Deixar aqui', help: 'O que é movido perde-o.' },
    },
    uses: 'Usam: {names}.',
    more: 'mais {n}',
    taken: '{name} (já existe lá)',
    codes: '{n} código QR vai junto. | {n} códigos QR vão junto.',
    submit: 'Mover',
    done: '{n} item movido para {name}. | {n} itens movidos para {name}.',
    none: 'Nada foi movido.',
    skipped: {
      not_found: '{n} já não existe. | {n} já não existem.',
      role_too_low: '{n} fica: não tem permissão para o mover. | {n} ficam: não tem permissão para os mover.',
      plan_limit: '{n} fica: o limite do plano foi atingido. | {n} ficam: o limite do plano foi atingido.',
      domain:
        '{n} fica: o seu domínio não pode ser usado lá. | {n} ficam: os seus domínios não podem ser usados lá.',
    },
  },
};
