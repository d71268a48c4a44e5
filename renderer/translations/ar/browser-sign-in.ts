import type { messages as source } from '../../identity/browser-sign-in/messages.ts';

export const browserSignIn: (typeof source)['en'] = {
  browserSignIn: {
    start: 'الدخول عبر المتصفح',
    waiting: 'المتابعة في المتصفح',
    waitingHelp: 'يُرجى تسجيل الدخول هناك والسماح بالوصول. سيتابع Waypost بعد ذلك تلقائيًا.',
    again: 'فتح المتصفح مجددًا',
    cancel: 'إلغاء',
    denied: 'رُفض الوصول في المتصفح. يُرجى المحاولة مجددًا أو تسجيل الدخول بطريقة أخرى.',
    connect: {
      page: 'السماح بالوصول',
      title: 'يطلب {device} الوصول',
      lead: 'إلى حسابك {account} على {name}',
      gets: 'إن سمحت بذلك، يمكن لهذا التطبيق',
      powers: {
        all: 'رؤية كل ما يمكنك الوصول إليه وإنشاؤه وتعديله وحذفه',
        settings: 'تغيير حسابك وإنشاء مفاتيح API',
        until: 'البقاء مسجّل الدخول حتى تسجيل خروجه من «الإعدادات»، «الأمان»',
      },
      warning: 'يُسمح بهذا فقط إن اخترت للتو «الدخول عبر المتصفح» في Waypost على هذا الحاسوب.',
      allow: 'سماح',
      deny: 'رفض',
      other: 'استخدام حساب آخر',
      incomplete: 'هذا الرابط لا يعمل',
      incompleteHelp: 'ينقصه جزء. يُرجى اختيار «الدخول عبر المتصفح» في التطبيق مجددًا.',
      home: 'الانتقال إلى Waypost',
    },
  },
};
