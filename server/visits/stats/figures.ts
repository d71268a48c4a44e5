/** What is counted: bots are kept apart (decision 0026). */
export interface Figures {
  clicks: number;
  uniqueClicks: number;
  bots: number;
}
