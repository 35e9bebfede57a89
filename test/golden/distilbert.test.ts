import { describeGolden } from './describe-golden.ts';

describeGolden('distilbert-embed', { task: 'embed' });
describeGolden('distilbert-classify', { task: 'classify' });
