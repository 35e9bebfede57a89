import { describeGolden } from './describe-golden.ts';

describeGolden('albert-embed', { task: 'embed', unread: ['pooler.bias', 'pooler.weight'] });
