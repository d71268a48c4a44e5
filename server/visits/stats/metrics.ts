/** What is counted: bots are kept apart (decision 0026). */
export interface Metrics {
  clicks: number;
  uniqueClicks: number;
  bots: number;
}
