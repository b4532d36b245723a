import { seriesNumbers } from './series-numbers-suite.ts';

seriesNumbers(0.4);
